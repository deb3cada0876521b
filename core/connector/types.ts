import type { Json } from '../base/json';
import type { FieldSpec } from '../actions/types';
import type { HttpAuth, SecretHandle } from './auth-types';
import type { FieldRule } from './mapping-types';
import type { CachePolicy, Pagination } from './paging-types';

export type { HttpAuth, SecretHandle } from './auth-types';
export type { FieldRule, Transform } from './mapping-types';
export type { CachePolicy, Pagination } from './paging-types';

/**
 * The compiled connector: what a run pins and the runtime carries out. Plain JSON, no positions, defaults filled in.
 * A definition names its secrets, it never holds one.
 */
export const CONNECTOR_TYPES = [
  'rest_api',
  'graphql',
  'web_scraper',
  'file_parser',
  'database',
  'rss_feed',
  'existing_tool',
] as const;
export type ConnectorType = (typeof CONNECTOR_TYPES)[number];

export const VALUE_TYPES = [
  'string',
  'number',
  'integer',
  'date',
  'datetime',
  'boolean',
  'object',
  'array',
  'any',
] as const;
/** `datetime`: an instant; files give it in UTC, so that text order is time order. */
export type ValueType = (typeof VALUE_TYPES)[number];

/** Fields by which lists show and sort a connector; runs do not look at it. */
export interface ConnectorAbout {
  /** An emoji, or the name of an icon. */
  icon?: string;
  category?: string;
  tags?: string[];
}

export interface ConnectorCommon extends ConnectorAbout {
  schema: 1;
  /** Kebab-case, unique for an owner; playbooks name the connector by it. */
  id: string;
  name: string;
  version?: string;
  description?: string;
  /** Built-in checks around each call, in this order; absent = all of them. The audit entry is always written. */
  hooks?: Hooks;
  /** Set by the catalogue: the source is gone, calls answer `connector_retired`. */
  retired?: string;
  /** True if another person wrote the definition: its secret is sent only to places that its owner has confirmed. */
  imported?: boolean;
}

export interface RateLimit {
  requests_per_second?: number;
  requests_per_minute?: number;
  requests_per_hour?: number;
  requests_per_day?: number;
  requests_per_month?: number;
  /** Calls in flight at once. */
  concurrency?: number;
}

/** Fields of every connection over HTTP. */
export interface HttpConnection {
  /** Absolute http(s) address without trailing slash, query or fragment. */
  base_url: string;
  headers: Record<string, string>;
  auth: HttpAuth;
  timeout_seconds: number;
  rate_limit?: RateLimit;
}

export const ENDPOINT_EFFECTS = ['none', 'idempotent', 'keyed', 'unsafe'] as const;
export type EndpointEffect = (typeof ENDPOINT_EFFECTS)[number];
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];
export const PARAMETER_PLACES = ['path', 'query', 'header', 'body'] as const;
export type ParameterPlace = (typeof PARAMETER_PLACES)[number];

export interface Parameter {
  name: string;
  /** `body` where a type has no places: GraphQL variables, SQL parameters, inputs of feeds and actions. */
  in: ParameterPlace;
  type: ValueType;
  description?: string;
  required: boolean;
  default?: Json;
  enum?: Json[];
}

export interface EntityRule {
  field: string;
  entity_type: string;
  relationship_type?: string;
}

export const RESULTS_KINDS = ['list', 'one'] as const;
type ResultsKind = (typeof RESULTS_KINDS)[number];

export interface ResponseMapping {
  entity_type?: string;
  /** Path of the records: a dot path, or an XPath when the answer is XML. Absent = the answer itself. */
  results_path?: string;
  /** Kind of the value at `results_path`, where the author knows it: any other kind is an unexpected answer. */
  results_are?: ResultsKind;
  /** Path (of a page: selector) that every right answer has: an answer without it is unexpected. */
  has?: string;
  /** Output field → path inside a record, or a rule. Empty = records pass through as they are. */
  fields: Record<string, string | FieldRule>;
  entity_extraction: EntityRule[];
}

export const SCHEMA_KINDS = ['record_set', 'object', 'scalar'] as const;

export interface EndpointSchema {
  type: (typeof SCHEMA_KINDS)[number];
  fields: FieldSpec[];
  metadata_fields: FieldSpec[];
}

/**
 * Answers that an endpoint of the catalogue was tried with: answers of the source, answers made after its
 * documentation, or nothing.
 */
export const TESTED = ['recorded', 'constructed', 'live-only'] as const;
export type Tested = (typeof TESTED)[number];

export interface EndpointCommon {
  description?: string;
  /** Overrides the connector's hooks for this endpoint. */
  hooks?: Hooks;
  response_mapping?: ResponseMapping;
  output_schema?: EndpointSchema;
}

export const BODY_FORMATS = ['json', 'form', 'multipart'] as const;
type BodyFormat = (typeof BODY_FORMATS)[number];
export const RESPONSE_FORMATS = ['json', 'xml', 'csv', 'text'] as const;
export type ResponseFormat = (typeof RESPONSE_FORMATS)[number];
export const ARRAY_FORMATS = ['repeat', 'brackets', 'comma'] as const;
type ArrayFormat = (typeof ARRAY_FORMATS)[number];

export type TextFormat = Pick<FileEndpoint, 'delimiter' | 'encoding' | 'header' | 'skip_lines'>;

export interface RestEndpoint extends EndpointCommon {
  method: Method;
  /** Overrides the connection's address for this endpoint. */
  base_url?: string;
  path: string;
  parameters: Parameter[];
  body_format: BodyFormat;
  response_format: ResponseFormat;
  effect: EndpointEffect;
  /** Format of a CSV answer and encoding of any text, as for files; absent = the answer's own declaration. */
  text_format?: TextFormat;
  timeout_seconds?: number;
  /** Serialisation of a list in the query or a form: `a=1&a=2`, `a[]=1&a[]=2`, `a=1,2`. Absent = repeat. */
  array_format?: ArrayFormat;
  pagination?: Pagination;
  cache?: CachePolicy;
}

export interface GraphqlEndpoint extends EndpointCommon {
  /** One operation; values travel as variables only, the text is never changed. */
  query: string;
  operation: 'query' | 'mutation';
  /** The variables. */
  parameters: Parameter[];
  effect: EndpointEffect;
  /** `data` beside `errors`: taken with the errors in the result, or refused. */
  partial_data: 'accept' | 'refuse';
  timeout_seconds?: number;
  pagination?: Pagination;
  cache?: CachePolicy;
}

export interface ScraperField {
  field: string;
  /** One of the two. */
  selector?: string;
  xpath?: string;
  /** Text content without it. */
  attribute?: string;
  multiple: boolean;
  type: ValueType;
  description?: string;
}

export interface ScraperEndpoint extends EndpointCommon {
  base_url?: string;
  path: string;
  parameters: Parameter[];
  /** CSS selector of one record's element; absent = the page is one record. */
  list_selector?: string;
  fields: ScraperField[];
  /** Pages that a link leads to, one after the other. */
  follow?: { selector: string; max_pages: number };
  timeout_seconds?: number;
  cache?: CachePolicy;
}

export interface FeedSource {
  name: string;
  url: string;
  description?: string;
}

export interface FeedConnection {
  feeds: FeedSource[];
  headers: Record<string, string>;
  auth: HttpAuth;
  timeout_seconds: number;
  max_items_per_poll: number;
  /** Cache life of a feed where the endpoint says nothing. */
  poll_interval_minutes?: number;
  rate_limit?: RateLimit;
}

export interface FeedEndpoint extends EndpointCommon {
  /** `feed_name` and `since_hours` unless declared otherwise. */
  parameters: Parameter[];
  cache?: CachePolicy;
}

export interface DatabaseConnection {
  driver: 'postgresql';
  /** The secret's value is a `postgresql://` address. */
  auth: { type: 'connection_string'; secret: SecretHandle };
  timeout_seconds: number;
  rate_limit?: RateLimit;
}

export interface DatabaseEndpoint extends EndpointCommon {
  /** One statement with `:name` for each parameter; absent where `free_sql`. */
  sql?: string;
  /** The caller gives `sql` (and `params`, an object of values for `:name`). */
  free_sql: boolean;
  parameters: Parameter[];
  max_rows: number;
  max_bytes: number;
}

export interface ToolConnection {
  /** Name of a registered action. */
  tool: string;
}

export interface ToolEndpoint extends EndpointCommon {
  /** Overrides the connection's action. */
  tool?: string;
  /** Absent = the action's own inputs. */
  parameters?: Parameter[];
  passthrough: boolean;
}

export const HOOKS = ['rate_limit', 'audit', 'auth_check'] as const;
type Hook = (typeof HOOKS)[number];
export interface Hooks {
  before: Hook[];
  /** `audit` alone, which is always done: the other hooks decide whether a call is made. */
  after: Hook[];
}

export const FILE_SOURCES = ['upload', 'url', 'directory'] as const;
export type FileSource = (typeof FILE_SOURCES)[number];
export const FILE_FORMATS = ['xml', 'csv', 'json', 'xlsx', 'pdf', 'docx', 'fixed_width', 'fec'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export interface FileConnection {
  /** Allowed sources of files; one call uses one of them. */
  sources: FileSource[];
  /** File name extensions without the dot, lower case. */
  accepted_formats: string[];
  max_file_size_mb: number;
  /** Files read by one call at most. */
  max_files: number;
}

/** One output field of a file: the first of `paths` that finds something wins. */
export interface FileField {
  field: string;
  /** XPath (xml), dot path (json) or column name (csv, xlsx, fec; `page`, `text` and the like for pdf and docx). */
  paths: string[];
  type: ValueType;
  /** Fixed width: first character of the column, counted from 1, and how many there are. */
  start?: number;
  length?: number;
  /** Joins all nodes found with this text; without it the first node counts. */
  join?: string;
  description?: string;
}

/** A list of records inside a file. */
export interface FileList {
  /** Alternatives: all nodes that any of them finds, in that order. */
  list_element?: string[];
  fields: FileField[];
  /** Fields of the file's own record that each row repeats. */
  carry: string[];
}

export interface FileEndpoint extends EndpointCommon {
  parser: FileFormat;
  /** CSV, XLSX, fixed width: lines before the header, or before the first record where there is none. */
  skip_lines?: number;
  /** XML: path that must exist, else the file is refused; list and field paths start there. */
  root_element?: string;
  /** Path of the list's element; absent = each file gives one record. */
  list_element?: string[];
  /** XML: a file without what would hold the list is refused. Never in a definition: of answers over HTTP. */
  list_required?: boolean;
  fields: FileField[];
  /** Records with equal `same` are editions of one; the one with the largest `latest` counts. Every row says whether it does. */
  replaces?: { same: string[]; latest: string[] };
  /** Lists that are read in the same pass: group name → list. */
  groups: Record<string, FileList>;
  /** XML prefixes → addresses. Absent = namespaces are ignored. */
  namespaces?: Record<string, string>;
  /** CSV. */
  delimiter: string;
  /** `auto`: byte order mark or XML declaration, else UTF-8. */
  encoding: string;
  /** CSV, XLSX: the first line names the columns; else columns are `1`, `2`, ... */
  header: boolean;
  /** XLSX: name of the sheet, or its number counted from 1; absent = the first. */
  sheet?: string | number;
  /** FEC: only lines whose record type begins with one of these, such as `SA` or `SB17`; absent = all. */
  record_types?: string[];
}

interface Defined<Type extends ConnectorType, Connection, One> extends ConnectorCommon {
  type: Type;
  connection: Connection;
  endpoints: Record<string, One>;
}
export type RestConnector = Defined<'rest_api', HttpConnection, RestEndpoint>;
export type GraphqlConnector = Defined<'graphql', HttpConnection, GraphqlEndpoint>;
export type ScraperConnector = Defined<'web_scraper', HttpConnection, ScraperEndpoint>;
export type FileConnector = Defined<'file_parser', FileConnection, FileEndpoint>;
export type DatabaseConnector = Defined<'database', DatabaseConnection, DatabaseEndpoint>;
export type FeedConnector = Defined<'rss_feed', FeedConnection, FeedEndpoint>;
export type ToolConnector = Defined<'existing_tool', ToolConnection, ToolEndpoint>;
export type ConnectorDefinition =
  | RestConnector
  | GraphqlConnector
  | ScraperConnector
  | FileConnector
  | DatabaseConnector
  | FeedConnector
  | ToolConnector;
export type Endpoint = ConnectorDefinition['endpoints'][string];
