import {
  COLUMN,
  FEED_ITEMS,
  FILE_MEGABYTES,
  FILES,
  MAX_FEEDS,
  MAX_QUERY,
  MAX_SELECTOR,
  POLL_MINUTES,
  ROW_BYTES,
  ROWS,
  SKIPPED_LINES,
} from '../limits';
import { ACTION_NAME, NAME, RECORD_TYPE, URL_PATH } from '../patterns';
import type { ConnectorType } from '../types';
import {
  ARRAY_FORMATS,
  BODY_FORMATS,
  ENDPOINT_EFFECTS,
  FILE_FORMATS,
  FILE_SOURCES,
  METHODS,
  RESPONSE_FORMATS,
} from '../types';
import { DRIVERS } from '../types/database';
import { EXTENSIONS } from '../types/file-parser';
import { OPERATIONS, PARTIAL_DATA } from '../types/graphql';
import { ENCODINGS } from '../types/text-format';
import { HEADERS, HTTP, OWN_TIMEOUT, TIMEOUT_SECONDS } from './http-schema';
import { COMMON } from './mapping-schema';
import { choice, flag, list, map, object, oneOrMore, ref, type Schema, text, when, integer } from './parts';

const DELIMITER = '^(?:[^"\\r\\n]|tab|\\\\t)$';

const DELIMITER_FIELD: Schema = {
  type: 'string',
  description: 'CSV: one character, or `tab`; a first line `sep=;` goes before it',
  default: ',',
  pattern: DELIMITER,
};

interface TypeSchema {
  connection: Schema;
  endpoint: Schema;
}

const BASE_URL = text('Absolute http or https address without query and fragment');
const OWN_BASE_URL = text("Instead of the connection's address");
const PARAMETERS = list('What a call takes', ref('parameter'));
const EFFECT = choice(
  'What a call changes. Absent: GET, HEAD, OPTIONS and GraphQL queries none; PUT and DELETE idempotent; else unsafe',
  ENDPOINT_EFFECTS,
);
const PATH = text('Path below the address; `{name}` is a path parameter', { pattern: URL_PATH.pattern });

export const TYPE_SCHEMAS: Record<ConnectorType, TypeSchema> = {
  rest_api: {
    connection: object({
      description: 'An HTTP interface',
      properties: { base_url: BASE_URL, ...HTTP },
      required: ['base_url'],
    }),
    endpoint: object({
      description: 'One kind of request',
      properties: {
        ...COMMON,
        method: choice('HTTP method', METHODS, 'GET'),
        base_url: OWN_BASE_URL,
        path: PATH,
        parameters: PARAMETERS,
        body_format: choice('How body parameters travel', BODY_FORMATS, 'json'),
        array_format: choice('Lists in query and form: `a=1&a=2`, `a[]=1&a[]=2`, `a=1,2`', ARRAY_FORMATS, 'repeat'),
        response_format: choice('How answers are read; paths of `xml` are XPaths', RESPONSE_FORMATS, 'json'),
        delimiter: DELIMITER_FIELD,
        encoding: choice('Of a CSV, XML or text answer; `auto`: what the answer says of itself', ENCODINGS, 'auto'),
        header: flag('CSV: the first line names the columns; else they are `1`, `2`, ...', true),
        skip_lines: integer('CSV: lines before the header, or before the first record', SKIPPED_LINES),
        effect: EFFECT,
        timeout_seconds: OWN_TIMEOUT,
        pagination: ref('pagination'),
        cache: ref('cache'),
      },
    }),
  },
  graphql: {
    connection: {
      ...object({
        description: 'A GraphQL interface',
        properties: { endpoint: BASE_URL, base_url: text('Another spelling of `endpoint`'), ...HTTP },
      }),
      oneOf: [{ required: ['endpoint'] }, { required: ['base_url'] }],
    },
    endpoint: object({
      description: 'One operation; values travel as variables only',
      properties: {
        ...COMMON,
        query: text('The text of one query or mutation, with its fragments', { max: MAX_QUERY }),
        variables: list('The variables that callers give', ref('parameter')),
        parameters: list('Another spelling of `variables`', ref('parameter')),
        operation: choice('Follows from the text', OPERATIONS),
        effect: EFFECT,
        partial_data: choice('Data that comes beside errors', PARTIAL_DATA, 'accept'),
        timeout_seconds: OWN_TIMEOUT,
        pagination: ref('pagination'),
        cache: ref('cache'),
      },
      required: ['query'],
    }),
  },
  web_scraper: {
    connection: object({
      description: 'A site',
      properties: { base_url: BASE_URL, ...HTTP },
      required: ['base_url'],
    }),
    endpoint: object({
      description: 'Records out of pages',
      properties: {
        ...COMMON,
        base_url: OWN_BASE_URL,
        path: PATH,
        parameters: PARAMETERS,
        list_selector: text("CSS selector of one record's element; absent: the page is one record", {
          max: MAX_SELECTOR,
        }),
        fields: list('What is read of each record', ref('scraper_field'), 1),
        follow: ref('follow'),
        timeout_seconds: OWN_TIMEOUT,
        cache: ref('cache'),
      },
      required: ['fields'],
    }),
  },
  file_parser: {
    connection: {
      ...object({
        description: 'Where files come from',
        properties: {
          source: oneOrMore('Each call uses one of them', choice('Source', FILE_SOURCES)),
          sources: oneOrMore('Another spelling of `source`', choice('Source', FILE_SOURCES)),
          accepted_formats: {
            description: 'File name extensions; absent: all that can be read',
            anyOf: [
              choice('Extension', EXTENSIONS),
              { type: 'array', items: { type: 'string', pattern: `^(?:${EXTENSIONS.map(anyCase).join('|')})$` } },
            ],
          },
          max_file_size_mb: integer('Largest file', FILE_MEGABYTES),
          max_files: integer('Files of one call', FILES),
        },
      }),
      oneOf: [{ required: ['source'] }, { required: ['sources'] }],
    },
    endpoint: object({
      description: 'Records out of files',
      properties: {
        ...COMMON,
        parser: choice('Kind of file', FILE_FORMATS),
        root_element: text('XML, JSON: path that must exist; other paths start there'),
        list_element: oneOrMore(
          'XML, JSON: path of the records, or alternatives; absent: a file is one record',
          text('Path'),
        ),
        fields: list('What is read of each record', ref('file_field')),
        groups: map('XML, JSON, PDF, DOCX, FEC: more lists of the same file', ref('file_group'), NAME.pattern),
        replaces: {
          ...object({
            description: 'Records that are editions of one and the same; each row gets `is_current` and `replaced_by`',
            properties: {
              same: oneOrMore('What editions of one have in common', text('Field')),
              latest: oneOrMore('The largest counts, by the first of them that differs', text('Field')),
            },
            required: ['same', 'latest'],
          }),
        },
        namespaces: map('XML: prefix → address (`default` for names without prefix); absent: ignored', text('Address')),
        delimiter: DELIMITER_FIELD,
        encoding: choice('Of text files; `auto`: byte order mark, XML declaration, else UTF-8', ENCODINGS, 'auto'),
        header: flag('CSV, XLSX: the first line names the columns; else they are `1`, `2`, ...', true),
        sheet: {
          description: 'XLSX: name, or number counted from 1; absent: the first',
          anyOf: [text('Name', { max: 100 }), integer('Number', COLUMN)],
        },
        skip_lines: integer(
          'CSV, XLSX, fixed width: lines before the header, or before the first record',
          SKIPPED_LINES,
        ),
        record_types: oneOrMore('FEC: only lines whose type begins with one of these', text('Type', RECORD_TYPE)),
      },
      required: ['parser'],
    }),
  },
  database: {
    connection: object({
      description: 'A PostgreSQL database, read only',
      properties: {
        driver: choice('Kind of database', DRIVERS, 'postgresql'),
        auth: ref('connection_string'),
        timeout_seconds: TIMEOUT_SECONDS,
        rate_limit: ref('rate_limit'),
        read_only: { description: 'Always true', const: true },
        pool_size: integer('Has no effect: each call opens its own connection', { min: 1, max: 1000 }),
      },
      required: ['auth'],
    }),
    endpoint: {
      ...object({
        description: 'One statement',
        properties: {
          ...COMMON,
          type: choice('Only `sql`', ['sql']),
          sql: text('One SELECT, VALUES or WITH statement with `:name` for each parameter', { max: MAX_QUERY }),
          free_sql: flag('Callers give `sql` and `params`', false),
          parameters: PARAMETERS,
          max_rows: integer('Rows of one call', ROWS),
          max_bytes: integer('Bytes of one call', ROW_BYTES),
        },
      }),
      ...when(
        { properties: { free_sql: { const: true } }, required: ['free_sql'] },
        { not: { required: ['sql'] } },
        { required: ['sql'] },
      ),
    },
  },
  rss_feed: {
    connection: object({
      description: 'Feeds: RSS, Atom, RDF, JSON Feed',
      properties: {
        feeds: { ...list('The feeds', ref('feed'), 1), maxItems: MAX_FEEDS },
        headers: HEADERS,
        auth: ref('auth'),
        rate_limit: ref('rate_limit'),
        timeout_seconds: TIMEOUT_SECONDS,
        max_items_per_poll: integer('Items of one feed and call', FEED_ITEMS),
        poll_interval_minutes: integer(
          'How often the source wants to be asked: no feed is asked sooner again, unless an endpoint has a `cache` of its own',
          POLL_MINUTES,
        ),
      },
      required: ['feeds'],
    }),
    endpoint: object({
      description: 'Items of the feeds',
      properties: {
        ...COMMON,
        parameters: list('`feed_name` and `since_hours`; absent: both', ref('parameter')),
        cache: ref('cache'),
      },
    }),
  },
  existing_tool: {
    connection: object({
      description: 'A registered action',
      properties: { tool: text('Name of the action', ACTION_NAME) },
      required: ['tool'],
    }),
    endpoint: object({
      description: 'A call of the action in the context of the step: same gate, same effect key',
      properties: {
        ...COMMON,
        tool: text("Instead of the connection's", ACTION_NAME),
        parameters: list("Which of the action's inputs callers give; absent: all", ref('parameter')),
        passthrough: flag("The action's own result comes back; absent: true without `response_mapping`"),
      },
    }),
  },
};

/** Extensions are read without regard to case, which a schema can only spell out. */
function anyCase(extension: string): string {
  return Array.from(extension)
    .map((letter) => `[${letter}${letter.toUpperCase()}]`)
    .join('');
}
