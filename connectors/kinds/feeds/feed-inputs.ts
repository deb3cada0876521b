import { didYouMean } from '../../../core/base/did-you-mean';
import type { Json, JsonObject } from '../../../core/base/json';
import { ownField } from '../../../core/base/json';
import type { FeedConnector, FeedEndpoint, FeedSource } from '../../../core/connector/types';
import { badInput } from '../../call/bad-input';
import type { ConnectorCall } from '../../call/connector-call';

const HOUR_MS = 3_600_000;
const ALL = 'all';

export interface FeedRequest {
  feeds: FeedSource[];
  /** Epoch milliseconds. */
  since: number | undefined;
}

/** Reads which feeds a call reads, and since when by the run's clock. Throws `invalid_input`, `feed_not_found`. */
export function feedRequest({ connector, endpoint, inputs, now }: ConnectorCall<FeedConnector>): FeedRequest {
  refuseUnknown(endpoint, inputs);
  const hours = numberOf(valueOf(endpoint, inputs, 'since_hours'));
  const moment = Date.parse(now ?? new Date().toISOString());
  return {
    feeds: chosen(connector.connection.feeds, valueOf(endpoint, inputs, 'feed_name')),
    since: hours === undefined ? undefined : moment - hours * HOUR_MS,
  };
}

function valueOf(endpoint: FeedEndpoint, inputs: JsonObject, name: string): Json | undefined {
  const fallback = endpoint.parameters.find((parameter) => parameter.name === name)?.default;
  return ownField(inputs, name) ?? fallback ?? undefined;
}

function refuseUnknown(endpoint: FeedEndpoint, inputs: JsonObject): void {
  const declared = endpoint.parameters.map((parameter) => parameter.name);
  const known = declared.length === 0 ? ['feed_name', 'since_hours'] : declared;
  const unknown = Object.keys(inputs).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw badInput(
      `${unknown.map((name) => `\`${name}\``).join(', ')} is no parameter of this endpoint. Parameters: ${known.join(', ')}.`,
    );
  }
}

function chosen(feeds: readonly FeedSource[], name: Json | undefined): FeedSource[] {
  if (name === undefined || name === ALL) {
    return [...feeds];
  }
  const found = feeds.find((feed) => feed.name === name);
  if (found !== undefined) {
    return [found];
  }
  const names = feeds.map((feed) => feed.name);
  const near = typeof name === 'string' ? didYouMean(name, names) : undefined;
  throw badInput(
    `\`feed_name\` must be \`${ALL}\` or one of ${names.join(', ')}.${near === undefined ? '' : ` Did you mean \`${near}\`?`}`,
    'feed_not_found',
  );
}

/** Numbers written as text are what playbooks carry between steps. */
function numberOf(value: Json | undefined): number | undefined {
  if (value === undefined || value === '') {
    return undefined;
  }
  const hours = typeof value === 'string' ? Number(value) : value;
  if (typeof hours !== 'number' || !Number.isFinite(hours) || hours < 0) {
    throw badInput('`since_hours` must be a number of hours, zero or more.');
  }
  return hours;
}
