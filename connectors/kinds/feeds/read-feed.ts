import type { JsonObject } from '../../../core/base/json';
import type {
  CachePolicy,
  FeedConnector,
  FeedEndpoint,
  FeedSource,
  HttpConnection,
} from '../../../core/connector/types';
import type { ErrorCategory } from '../../../core/errors/app-error';
import { AppError } from '../../../core/errors/app-error';
import type { EgressResponse } from '../../../infra/egress/types';
import { cacheNotes } from '../../runtime/cache/cache-notes';
import { FileFault } from '../../formats/file-fault';
import { HttpReader } from '../../http/http-reader';
import type { Mask } from '../../call/mask';
import { excerptOf, requireSuccess } from '../../http/answer-status';
import type { CallContext, ConnectorDeps } from '../../call/types';
import { recentItems } from './recent-items';

const ACCEPT =
  'application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml;q=0.9, application/xml;q=0.8, */*;q=0.5';

export type FeedDeps = Pick<ConnectorDeps, 'egress' | 'exchange' | 'secrets' | 'tokens' | 'files'>;

/** Plain JSON, so that a call can wait and go on. */
export type FeedOutcome =
  | { ok: true; items: JsonObject[]; feed: JsonObject; warnings: JsonObject[] }
  | {
      ok: false;
      feed_name: string;
      code: string;
      message: string;
      category: ErrorCategory;
      retryable: boolean;
      details: JsonObject;
    };

export interface FeedRead {
  name: string;
  endpoint: FeedEndpoint;
  context: CallContext;
  feed: FeedSource;
  since: number | undefined;
  most: number;
}

/** One feed. What concerns it alone is an outcome; waits, cancels and faults of the platform are thrown. */
export async function readFeed(deps: FeedDeps, definition: FeedConnector, call: FeedRead): Promise<FeedOutcome> {
  try {
    return await read(deps, definition, call);
  } catch (error) {
    call.context.signal.throwIfAborted();
    if (!(error instanceof AppError) || error.category === 'internal' || error.category === 'unavailable') {
      throw error;
    }
    const { code, message, category, retryable, details } = error;
    return { ok: false, feed_name: call.feed.name, code, message, category, retryable, details };
  }
}

async function read(deps: FeedDeps, definition: FeedConnector, call: FeedRead): Promise<FeedOutcome> {
  const { feed, endpoint, context } = call;
  const reader = await HttpReader.open(deps, {
    connector: { id: definition.id, connection: connectionOf(definition, feed) },
    endpoint: call.name,
    context,
    accept: ACCEPT,
    timeoutSeconds: undefined,
    cache: endpoint.cache ?? pollInterval(definition),
  });
  const { mask } = reader;
  const exchanged = await reader.send(reader.request({ path: '', parameters: [] }, {}));
  const { response } = exchanged;
  requireSuccess(response, mask);
  const parsed = await parsedFeed(deps, response, { mask, signal: context.signal });
  await exchanged.readable?.(parsed.items.length);
  const { items, ...counts } = recentItems(parsed.items, call);
  return {
    ok: true,
    items: items.map((item) => ({ ...(mask.json(item) as JsonObject), feed_name: feed.name })),
    feed: {
      feed_name: feed.name,
      title: mask.json(parsed.title),
      format: parsed.format,
      encoding: parsed.encoding,
      items: items.length,
      ...counts,
      ...cacheNotes(exchanged),
    },
    warnings: parsed.warnings.map((message) => ({ feed_name: feed.name, message: mask.text(message) })),
  };
}

/** How often the source wants to be asked: sooner than that, what is kept stands for it. It hides no failure. */
function pollInterval({ connection }: FeedConnector): CachePolicy | undefined {
  const minutes = connection.poll_interval_minutes;
  return minutes === undefined ? undefined : { ttl_seconds: minutes * 60, stale_if_error_seconds: 0 };
}

/** A feed's whole address, query and all, is its own. */
function connectionOf({ connection }: FeedConnector, feed: FeedSource): HttpConnection {
  const { headers, auth, timeout_seconds: seconds, rate_limit: limit } = connection;
  return {
    base_url: feed.url,
    headers,
    auth,
    timeout_seconds: seconds,
    ...(limit === undefined ? {} : { rate_limit: limit }),
  };
}

async function parsedFeed(
  deps: FeedDeps,
  response: EgressResponse,
  use: { mask: Mask; signal: AbortSignal },
): ReturnType<FeedDeps['files']['feed']> {
  const contentType = response.headers['content-type'] ?? '';
  try {
    return await deps.files.feed({ bytes: response.body, contentType, url: response.url }, use.signal);
  } catch (error) {
    if (!(error instanceof FileFault)) {
      throw error;
    }
    const message = use.mask.text(error.message).slice(0, 300);
    throw new AppError('bad_response', `The answer of ${new URL(response.url).host} cannot be used: ${message}`, {
      category: 'upstream',
      details: {
        status: response.status,
        cause: error.code,
        ...error.place,
        excerpt: excerptOf(response, use.mask),
      },
    });
  }
}
