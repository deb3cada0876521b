import {
  CONCURRENCY,
  MAX_ITEMS,
  MAX_PAGE_BYTES,
  MAX_PAGES,
  MAX_SECONDS,
  PAGE_SIZE,
  PAGE_START,
  REQUESTS,
  STALE,
  TIMEOUT,
  TTL,
} from '../limits';
import { HOOKS_AFTER } from '../hooks-reader';
import { END_SIGNS, PAGINATION_TYPES } from '../paging-types';
import { PARAMETER_NAME } from '../patterns';
import { HOOKS, PARAMETER_PLACES, VALUE_TYPES } from '../types';
import { PAGING_NEEDS } from '../types/paging';
import { RATE_KEYS } from '../types/http-connection';
import { AUTH, CONNECTION_STRING, SECRET_HANDLE } from './auth-schema';
import { anything, choice, flag, list, map, object, oneOrMore, ref, type Schema, text, when, integer } from './parts';

export const TIMEOUT_SECONDS = integer('Longest time of one request; never longer than the step', TIMEOUT);
/** Time limit of an endpoint; without it the connection's counts. */
export const OWN_TIMEOUT = integer("Instead of the connection's", { min: TIMEOUT.min, max: TIMEOUT.max });
export const HEADERS = map('Sent with every request; never for secrets', { type: 'string' });

/** Fields of connections over HTTP beside the address. */
export const HTTP: Record<string, Schema> = {
  headers: HEADERS,
  auth: ref('auth'),
  rate_limit: ref('rate_limit'),
  timeout_seconds: TIMEOUT_SECONDS,
};

const RATE_LIMIT = object({
  description: 'What the source allows; shared by all workers',
  properties: {
    ...Object.fromEntries(RATE_KEYS.map((key) => [key, integer(key.replaceAll('_', ' '), REQUESTS)])),
    concurrency: integer('Calls in flight at once', CONCURRENCY),
  },
});

const PARAMETER = object({
  description: 'What a call takes',
  properties: {
    name: text('Name', PARAMETER_NAME),
    in: choice(
      'Where it goes. Absent: path where the path names it; body for POST, PUT and PATCH; else query',
      PARAMETER_PLACES,
    ),
    type: choice('Type', VALUE_TYPES, 'string'),
    description: text('For people and models'),
    required: flag('Must be given; path parameters always', false),
    default: anything('Taken when nothing is given'),
    enum: list('The only values; of a list the only values of its elements', {}, 1),
  },
  required: ['name'],
});

const PAGINATION: Schema = {
  ...object({
    description: 'Reading more than one page. Ends at the first limit, without a next page, or at a repeated one',
    properties: {
      type: choice('How pages follow each other', PAGINATION_TYPES),
      param: text('Parameter that carries page number, offset or cursor', { max: 100 }),
      in: choice('Where it goes', ['query', 'body', 'header'], 'query'),
      start: integer('First page number (1) or offset (0)', PAGE_START),
      size_param: text('Parameter that carries the size of a page', { max: 100 }),
      size: integer('Records of one page', PAGE_SIZE),
      cursor_path: text('cursor: where the answer holds the next cursor'),
      next_path: text('next_url: where the answer holds the next address'),
      keys: { ...map('keyset: parameter → where the answer holds its next value', text('Path')), minProperties: 1 },
      ends_with: oneOrMore(
        'page, offset: what the source ends its list with; absent: a short page and a 404 are taken for the end, which the result calls a guess',
        choice('Sign of the end', END_SIGNS),
      ),
      total_path: text('page, offset: where the answer says how many records there are in all'),
      more_path: text('page, offset: where the answer says with true or false whether there is another page'),
      results_path: text('Where the records of a page lie; absent: `response_mapping.results_path`'),
      max_pages: integer('Pages', MAX_PAGES),
      max_items: integer('Records', MAX_ITEMS),
      max_bytes: integer('Bytes of all pages', MAX_PAGE_BYTES),
      max_seconds: integer('Time of all pages', MAX_SECONDS),
    },
    required: ['type'],
  }),
  allOf: Object.entries(PAGING_NEEDS).flatMap(([type, needs]) =>
    needs.length === 0 ? [] : [when({ properties: { type: { const: type } } }, { required: [...needs] })],
  ),
};

const CACHE = object({
  description: 'Keeps answers of endpoints without effect',
  properties: {
    ttl_seconds: integer('How long an answer is taken as it is', TTL),
    stale_if_error_seconds: integer('How long after that it may stand in for a source that fails', STALE),
  },
});

const HOOKS_SCHEMA = object({
  description: 'Built-in checks around each call; absent: all of them. The audit entry after a call is always written',
  properties: {
    before: oneOrMore('In this order, before the call', choice('Check', HOOKS)),
    after: oneOrMore('After the call; `audit` is there whatever is written', choice('Check', HOOKS_AFTER)),
  },
});

export const HTTP_DEFS: Record<string, Schema> = {
  auth: AUTH,
  connection_string: CONNECTION_STRING,
  secret: SECRET_HANDLE,
  rate_limit: RATE_LIMIT,
  parameter: PARAMETER,
  pagination: PAGINATION,
  cache: CACHE,
  hooks: HOOKS_SCHEMA,
};
