import type { Json } from '../base/json';
import type { FieldSpec } from '../actions/types';

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

export interface ConnectorCommon {
  schema: 1;
  /** Kebab-case, unique for an owner; playbooks name the connector by it. */
  id: string;
  name: string;
  version?: string;
  description?: string;
}

export interface SecretHandle {
  secret: string;
}

export type RestAuth =
  | { type: 'none' }
  | { type: 'api_key'; in: 'header' | 'query'; key_param: string; secret: SecretHandle }
  | { type: 'bearer_token'; secret: SecretHandle };

/** Parsed and kept; not enforced by this version. */
export interface RateLimit {
  requests_per_second?: number;
  requests_per_minute?: number;
  requests_per_hour?: number;
  requests_per_day?: number;
  requests_per_month?: number;
  concurrency?: number;
}

export interface RestConnection {
  /** Absolute http(s) address without trailing slash, query or fragment. */
  base_url: string;
  headers: Record<string, string>;
  auth: RestAuth;
  timeout_seconds: number;
  rate_limit?: RateLimit;
}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];
export type ParameterPlace = 'path' | 'query' | 'header' | 'body';
export type EndpointEffect = 'none' | 'idempotent' | 'keyed' | 'unsafe';

export interface Parameter {
  name: string;
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

export interface ResponseMapping {
  entity_type?: string;
  /** Where the records lie: a dot path, or an XPath when the answer is XML. Absent = the answer itself. */
  results_path?: string;
  /** Output field → path inside a record. Empty = records pass through as they are. */
  fields: Record<string, string>;
  entity_extraction: EntityRule[];
}

export interface EndpointSchema {
  type: 'record_set' | 'object' | 'scalar';
  fields: FieldSpec[];
  metadata_fields: FieldSpec[];
}

export interface EndpointCommon {
  description?: string;
  response_mapping?: ResponseMapping;
  output_schema?: EndpointSchema;
}

export interface RestEndpoint extends EndpointCommon {
  method: Method;
  /** Overrides the connection's address for this endpoint. */
  base_url?: string;
  path: string;
  parameters: Parameter[];
  body_format: 'json' | 'form';
  response_format: 'json' | 'xml' | 'csv' | 'text';
  effect: EndpointEffect;
  timeout_seconds?: number;
}

export type FileSource = 'upload' | 'url' | 'directory';
export type FileFormat = 'xml' | 'csv' | 'json';

export interface FileConnection {
  /** Where files may come from; one call uses one of them. */
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
  /** XPath (xml), dot path (json) or column name (csv). */
  paths: string[];
  type: ValueType;
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
  /** XML: path that must exist, else the file is refused; list and field paths start there. */
  root_element?: string;
  /** Without `list_element` each file gives one record. */
  list_element?: string[];
  fields: FileField[];
  /** More lists read in the same pass: group name → list. */
  groups: Record<string, FileList>;
  /** XML prefixes → addresses. Absent = namespaces are ignored. */
  namespaces?: Record<string, string>;
  /** CSV. */
  delimiter: string;
  /** `auto`: byte order mark or XML declaration, else UTF-8. */
  encoding: string;
  /** CSV: the first line names the columns; else columns are `1`, `2`, ... */
  header: boolean;
}

export interface RestConnector extends ConnectorCommon {
  type: 'rest_api';
  connection: RestConnection;
  endpoints: Record<string, RestEndpoint>;
}
export interface FileConnector extends ConnectorCommon {
  type: 'file_parser';
  connection: FileConnection;
  endpoints: Record<string, FileEndpoint>;
}
export type ConnectorDefinition = RestConnector | FileConnector;
export type Endpoint = RestEndpoint | FileEndpoint;
