import { shorten } from '../../../core/base/shorten';
import type { JsonObject } from '../../../core/base/json';
import type { CachePolicy, FeedConnector, FeedSource, HttpConnection } from '../../../core/connector/types';
import type { ErrorCategory } from '../../../core/errors/app-error';
import { AppError } from '../../../core/errors/app-error';
import type { EgressResponse } from '../../../infra/egress/types';
import { cacheNotes } from '../../runtime/cache/cache-notes';
import { FileFault } from '../../formats/file-fault';
import { readingRequest } from '../../http/build-request';
import { HttpSender } from '../../http/http-sender';
import { excerptOf, requireSuccess } from '../../http/answer-status';
import type { ConnectorCall } from '../../call/connector-call';
import type { ParsedFeed } from './parsed-feed';
import { recentItems } from './recent-items';

const ACCEPT =
  'application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml;q=0.9, application/xml;q=0.8, */*;q=0.5';

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

type FeedCall = ConnectorCall<FeedConnector>;

/** One feed. What concerns it alone is an outcome; waits, cancels and faults of the platform are thrown. */
export async function readFeed(call: FeedCall, feed: FeedSource, since: number | undefined): Promise<FeedOutcome> {
  try {
    return await read(call, feed, since);
  } catch (error) {
    call.signal.throwIfAborted();
    if (!(error instanceof AppError) || error.category === 'internal' || error.category === 'unavailable') {
      throw error;
    }
    const { code, message, category, retryable, details } = error;
    return { ok: false, feed_name: feed.name, code, message, category, retryable, details };
  }
}

async function read(call: FeedCall, feed: FeedSource, since: number | undefined): Promise<FeedOutcome> {
  const { connector, mask } = call;
  const connection = connectionOf(connector, feed);
  const cache = call.endpoint.cache ?? pollInterval(connector);
  const sender = await HttpSender.open(call, {
    connection,
    endpoint: { effect: 'none', ...(cache === undefined ? {} : { cache }) },
  });
  const request = readingRequest(connection, { path: '', parameters: [] }, { inputs: {}, accept: ACCEPT });
  const exchanged = await sender.send(request);
  requireSuccess(exchanged.response, mask);
  const parsed = await parsedFeed(call, exchanged.response);
  await exchanged.readable(parsed.items.length);
  const most = connector.connection.max_items_per_poll;
  const { items, ...counts } = recentItems(parsed.items, { since, most });
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

/**
 * Cache policy of the interval in which the source wants to be asked: before its end the kept answer is used. It hides
 * no failure.
 */
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

async function parsedFeed({ services, signal, mask }: FeedCall, response: EgressResponse): Promise<ParsedFeed> {
  const contentType = response.headers['content-type'] ?? '';
  try {
    return await services.files.feed({ bytes: response.body, contentType, url: response.url }, signal);
  } catch (error) {
    if (!(error instanceof FileFault)) {
      throw error;
    }
    const message = shorten(mask.text(error.message), 300);
    throw new AppError('bad_response', `The answer of ${new URL(response.url).host} cannot be used: ${message}`, {
      category: 'upstream',
      details: {
        status: response.status,
        cause: error.code,
        ...error.place,
        excerpt: excerptOf(response, mask),
      },
    });
  }
}
