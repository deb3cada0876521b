import { FEED_ITEM } from '../feed-items';
import { type Fields, nearestName, safeRecord } from '../fields';
import { addressFault } from '../http-names';
import { FEED_ITEMS, MAX_FEEDS, POLL_MINUTES, TIMEOUT } from '../limits';
import { readEndpointCommon } from '../mapping';
import { NAME } from '../patterns';
import { parseDotPath } from '../path';
import type { EndpointCommon, FeedConnection, FeedEndpoint, FeedSource, Parameter } from '../types';
import { readAuth } from './auth';
import { readHeaders, readRateLimit } from './http-connection';
import { readCache } from './paging';
import { readParameters } from './rest-parameters';
import type { TypeReader } from './type-reader';

const ALL = 'all';
/** Inputs of a feed. */
const INPUTS: Parameter[] = [
  { name: 'feed_name', in: 'body', type: 'string', description: 'Which feed, or `all`', required: false, default: ALL },
  { name: 'since_hours', in: 'body', type: 'integer', description: 'Only items of the last hours', required: false },
];

export const readRssFeed: TypeReader = ({ common, top, connection, endpoints }) => {
  if (connection === undefined) {
    top.report.add(top.at('connection'), 'missing_field', 'An rss_feed connector needs `connection` with `feeds`.');
    return undefined;
  }
  const read = readConnection(connection);
  const names = read.feeds.map((feed) => feed.name);
  return {
    ...common,
    type: 'rss_feed',
    connection: read,
    endpoints: safeRecord(endpoints.map(({ name, fields }) => [name, readEndpoint(fields, names)])),
  };
};

function readConnection(fields: Fields): FeedConnection {
  const feeds = readFeeds(fields);
  const poll = fields.integer('poll_interval_minutes', POLL_MINUTES);
  const rateLimit = readRateLimit(fields);
  const connection = {
    feeds,
    headers: readHeaders(fields),
    auth: readAuth(fields.child('auth')),
    timeout_seconds: fields.integer('timeout_seconds', TIMEOUT),
    max_items_per_poll: fields.integer('max_items_per_poll', FEED_ITEMS),
    ...(poll === undefined ? {} : { poll_interval_minutes: poll }),
    ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
  };
  fields.done();
  return connection;
}

function readFeeds(fields: Fields): FeedSource[] {
  const items = fields.children('feeds');
  if (!fields.has('feeds') || (items.length === 0 && Array.isArray(fields.raw('feeds')))) {
    fields.report.add(fields.path, 'missing_field', 'At least one feed is needed.', {
      suggestion: 'Add `feeds:` with `name` and `url`.',
    });
  }
  if (items.length > MAX_FEEDS) {
    fields.report.add(fields.at('feeds'), 'invalid_value', `At most ${MAX_FEEDS} feeds are allowed.`);
  }
  const feeds = items.slice(0, MAX_FEEDS).map(readFeed);
  const seen = new Set<string>([ALL]);
  feeds.forEach(({ name }, index) => {
    if (name !== '' && seen.has(name)) {
      const message = name === ALL ? '`all` stands for every feed.' : `The feed \`${name}\` is declared twice.`;
      fields.report.add([...fields.at('feeds'), index, 'name'], 'duplicate_name', message);
    }
    seen.add(name);
  });
  return feeds;
}

function readFeed(item: Fields): FeedSource {
  const name = item.text('name', { required: true, ...NAME });
  const url = item.text('url', { required: true });
  const description = item.text('description');
  item.done();
  const fault = url === undefined ? undefined : addressFault(url, { query: true });
  if (fault !== undefined) {
    item.report.add(item.at('url'), 'invalid_address', `\`url\` ${fault}.`);
  }
  return { name: name ?? '', url: url ?? '', ...(description === undefined ? {} : { description }) };
}

function readEndpoint(fields: Fields, feeds: readonly string[]): FeedEndpoint {
  const declared = readParameters(fields, 'parameters', { places: ['body'], fallback: 'body' });
  checkInputs(fields, declared, feeds);
  const cache = readCache(fields, 'none');
  const common = readEndpointCommon(fields, { known: FEED_ITEM.map((field) => field.name) });
  fields.done();
  warnOfPaths(fields, common);
  return {
    ...common,
    parameters: fields.has('parameters') ? declared : INPUTS,
    ...(cache === undefined ? {} : { cache }),
  };
}

function checkInputs(fields: Fields, declared: readonly Parameter[], feeds: readonly string[]): void {
  const names = INPUTS.map((input) => input.name);
  declared.forEach((parameter, index) => {
    const own = INPUTS.find((input) => input.name === parameter.name);
    const at = [...fields.at('parameters'), index];
    if (own === undefined && parameter.name !== '') {
      const message = `A feed cannot be asked for \`${parameter.name}\`. Known: ${names.join(', ')}.`;
      fields.report.add([...at, 'name'], 'unknown_reference', message, nearestName(parameter.name, names));
    } else if (own !== undefined && parameter.type !== own.type) {
      fields.report.add([...at, 'type'], 'invalid_value', `\`${own.name}\` is of type ${own.type}.`);
    }
    const fallback = parameter.name === 'feed_name' ? parameter.default : undefined;
    if (typeof fallback === 'string' && ![ALL, ...feeds].includes(fallback)) {
      const message = `There is no feed \`${fallback}\`. Known: ${[ALL, ...feeds].join(', ')}.`;
      fields.report.add([...at, 'default'], 'unknown_reference', message, nearestName(fallback, [ALL, ...feeds]));
    }
  });
}

/** Feeds may hold more than the common fields, so another name is only suspicious. */
function warnOfPaths(fields: Fields, common: EndpointCommon): void {
  const known = FEED_ITEM.map((field) => field.name);
  for (const [name, rule] of Object.entries(common.response_mapping?.fields ?? {})) {
    const first = parseDotPath(typeof rule === 'string' ? rule : (rule.path ?? ''))?.[0];
    if (first?.kind === 'field' && !known.includes(first.name)) {
      const message = `Items of a feed have no \`${first.name}\`. Known: ${known.join(', ')}.`;
      fields.report.add([...fields.at('response_mapping'), 'fields', name], 'unknown_reference', message, {
        severity: 'warning',
        ...nearestName(first.name, known),
      });
    }
  }
}
