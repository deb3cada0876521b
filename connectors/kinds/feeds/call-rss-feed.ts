import type { Json } from '../../../core/base/json';
import { isJsonObject } from '../../../core/base/json';
import type { FeedConnector, FeedEndpoint, FeedSource } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import { mapLimited } from '../../../infra/map-limited';
import { mapRecords } from '../../mapping/map-flat-records';
import { SourceWait } from '../../runtime/limits/source-wait';
import type { ConnectorCall, EndpointResult } from '../../call/connector-call';
import { feedRequest } from './feed-inputs';
import { readFeed } from './read-feed';
import type { FeedOutcome } from './read-feed';
import { distinctBy } from './recent-items';

/** Feeds that are read at the same time. */
const AT_ONCE = 4;

/** Reads one feed or all of them. One that fails is an entry of `errors`; when all fail, so does the call. */
export async function callRssFeed(call: ConnectorCall<FeedConnector>): Promise<EndpointResult> {
  const { feeds, since } = feedRequest(call);
  const reading = new Reading(call.resume);
  await mapLimited(feeds, AT_ONCE, (feed) => reading.take(feed, () => readFeed(call, feed, since)));
  call.signal.throwIfAborted();
  return resultOf(call.endpoint, reading.outcomes(feeds));
}

/**
 * Feeds read so far. A feed that asks for a long wait ends the call once the others are read; it goes on with the rest.
 */
class Reading {
  private readonly done = new Map<string, FeedOutcome>();
  private wait: SourceWait | undefined;

  constructor(resume: Json | undefined) {
    for (const [name, outcome] of isJsonObject(resume) ? Object.entries(resume) : []) {
      this.done.set(name, outcome as unknown as FeedOutcome);
    }
  }

  async take(feed: FeedSource, read: () => Promise<FeedOutcome>): Promise<void> {
    if (this.done.has(feed.name)) {
      return;
    }
    try {
      this.done.set(feed.name, await read());
    } catch (error) {
      if (!(error instanceof SourceWait)) {
        throw error;
      }
      this.wait = this.wait === undefined || error.until < this.wait.until ? error : this.wait;
    }
  }

  outcomes(feeds: readonly FeedSource[]): FeedOutcome[] {
    if (this.wait !== undefined) {
      throw this.wait.at(Object.fromEntries(this.done));
    }
    return feeds.flatMap((feed) => this.done.get(feed.name) ?? []);
  }
}

function resultOf(endpoint: FeedEndpoint, outcomes: readonly FeedOutcome[]): EndpointResult {
  const errors = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome]));
  const read = outcomes.flatMap((outcome) => (outcome.ok ? [outcome] : []));
  if (read.length === 0) {
    throw failureOf(errors);
  }
  const all = read.flatMap((outcome) => outcome.items);
  // An item in two feeds counts once; ids alone are only unique within a feed.
  const items = distinctBy(all, (item) => JSON.stringify([item['guid'], item['link']]));
  const { records, warnings, notes } = mapRecords(endpoint.response_mapping, items);
  return {
    results: records,
    count: records.length,
    feeds: read.map((outcome) => outcome.feed),
    duplicates: all.length - items.length + read.reduce((sum, { feed }) => sum + Number(feed['duplicates']), 0),
    truncated: read.some(({ feed }) => Number(feed['cut']) > 0),
    errors: errors.map(({ feed_name, code, message }) => ({ feed_name, code, message })),
    error_count: errors.length,
    warnings: [...read.flatMap((outcome) => outcome.warnings), ...warnings],
    ...notes,
  };
}

type Failed = Extract<FeedOutcome, { ok: false }>;

function failureOf(errors: readonly Failed[]): AppError {
  const [first] = errors;
  if (first === undefined) {
    return new AppError('no_feeds', 'The connector has no feeds.', { category: 'bad_request' });
  }
  const same = errors.every((error) => error.code === first.code);
  const others = errors.length > 1 ? ` None of the ${errors.length} feeds could be read.` : '';
  return new AppError(same ? first.code : 'no_feed_readable', `${first.feed_name}: ${first.message}${others}`, {
    category: first.category,
    retryable: errors.some((error) => error.retryable),
    details: {
      ...first.details,
      errors: errors.map(({ feed_name, code, message }) => ({ feed_name, code, message })),
    },
  });
}
