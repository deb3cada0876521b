import { getContract } from '../actions/registry';
import type { FieldSpec } from '../actions/types';
import { findEndpoint, toolName } from './find-endpoint';
import { recordFields, specsOf } from './record-fields';
import type { ConnectorDefinition, ConnectorType, Endpoint, FileEndpoint, FileList, ToolEndpoint } from './types';

export { endpointEffect, findEndpoint } from './find-endpoint';
export { endpointInputs } from './inputs';

/** Outputs that every call of a file parser has besides its groups. */
export const FILE_ENVELOPE = ['results', 'count', 'files', 'errors', 'warnings', 'error_count', 'missing'];

/** Columns that tell which file a row comes from. */
const ORIGIN: FieldSpec[] = [
  { name: 'file', type: 'string', description: 'Name of the file' },
  {
    name: 'file_id',
    type: 'string',
    description: 'Tells files of one call apart: path in the directory, document id or address',
  },
];

const EDITION: FieldSpec[] = [
  { name: 'is_current', type: 'boolean', description: 'No other file of the call replaces this one' },
  { name: 'replaced_by', type: 'string', description: 'Name of the file that does; null where none does' },
];

const STATUS: FieldSpec = { name: 'status', type: 'integer', description: 'HTTP status' };
const TRUNCATED: FieldSpec = { name: 'truncated', type: 'boolean', description: 'There is more than was read' };
const PAGES_TRUNCATED: FieldSpec = {
  name: 'truncated',
  type: 'any',
  description: 'There is more than was read: true, false, or `unknown` where neither the source nor a cut says so',
};
const REMARKS: FieldSpec = {
  name: 'warnings',
  type: 'record[]',
  description: 'Inputs that were not there; absent when there are none',
};
const MISSING: FieldSpec = {
  name: 'missing',
  type: 'object',
  description: 'Field → records in which its path found nothing; absent when all were found',
};
const PAGES: FieldSpec[] = [
  { name: 'pages', type: 'integer', description: 'Pages that were read' },
  {
    name: 'stopped_by',
    type: 'string',
    description:
      'end, max_pages, max_items, max_bytes, max_seconds, repeated_page, repeated_cursor; short_page, not_found, below_total, total_changed, contradiction, no_next or unreadable where the end is a guess',
  },
  PAGES_TRUNCATED,
];

/** Outputs of a call of the endpoint: the declared schema, else inferred from the mapping. */
export function endpointOutputs(definition: ConnectorDefinition, endpoint: string): FieldSpec[] {
  const found = findEndpoint(definition, endpoint);
  if (found === undefined) {
    return [];
  }
  if (definition.type === 'existing_tool' && (found as ToolEndpoint).passthrough) {
    return getContract(toolName(definition, found as ToolEndpoint))?.outputs ?? [];
  }
  const isFile = definition.type === 'file_parser';
  const fields = withEdition(withOrigin(recordFields(definition, found), isFile), found);
  const records: FieldSpec = { name: 'results', type: 'record[]', description: found.description ?? 'The records' };
  const outputs: FieldSpec[] = [
    fields === undefined ? records : { ...records, fields },
    { name: 'count', type: 'integer', description: 'Number of records' },
  ];
  if (found.output_schema?.type === 'object') {
    addNew(outputs, fields ?? []);
  }
  addNew(outputs, isFile ? fileOutputs(found as FileEndpoint) : envelope(definition.type, found));
  addNew(outputs, found.output_schema?.metadata_fields ?? []);
  return outputs;
}

function withOrigin(fields: FieldSpec[] | undefined, isFile: boolean): FieldSpec[] | undefined {
  return fields === undefined || !isFile ? fields : [...ORIGIN, ...fields];
}

function withEdition(fields: FieldSpec[] | undefined, endpoint: Endpoint): FieldSpec[] | undefined {
  const marked = 'replaces' in endpoint && endpoint.replaces !== undefined;
  return fields === undefined || !marked ? fields : [...fields, ...EDITION];
}

function addNew(outputs: FieldSpec[], more: readonly FieldSpec[]): void {
  const names = new Set(outputs.map((output) => output.name));
  outputs.push(...more.filter((field) => !names.has(field.name)));
}

const ENVELOPES: Record<Exclude<ConnectorType, 'file_parser'>, FieldSpec[]> = {
  rest_api: [
    STATUS,
    {
      name: 'left_out',
      type: 'string[]',
      description: 'Parameters given as null that their place cannot say; absent when there are none',
    },
  ],
  graphql: [STATUS, { name: 'errors', type: 'record[]', description: 'Errors that came beside the data' }],
  web_scraper: [
    STATUS,
    { name: 'pages', type: 'integer', description: 'Pages that were read' },
    {
      name: 'stopped_by',
      type: 'string',
      description: 'end, max_pages, max_items, max_bytes, repeated_page, other_origin, invalid_link or robots',
    },
    PAGES_TRUNCATED,
    {
      name: 'warnings',
      type: 'record[]',
      description: 'Values without their declared type, selectors that found nothing',
    },
  ],
  database: [TRUNCATED, REMARKS],
  rss_feed: [
    { name: 'errors', type: 'record[]', description: 'Feeds that could not be read' },
    { name: 'error_count', type: 'integer', description: 'Number of feeds that could not be read' },
    { name: 'feeds', type: 'record[]', description: 'Feeds that were read' },
    { name: 'duplicates', type: 'integer', description: 'Items that were left out because they are there already' },
    TRUNCATED,
    { name: 'warnings', type: 'record[]', description: 'Feeds that were read in spite of a fault' },
  ],
  existing_tool: [],
};

/** Fields of a result beside the records. */
function envelope(type: Exclude<ConnectorType, 'file_parser'>, endpoint: Endpoint): FieldSpec[] {
  const paged = 'pagination' in endpoint && endpoint.pagination !== undefined;
  const mapped = Object.keys(endpoint.response_mapping?.fields ?? {}).length > 0;
  const outputs = [...ENVELOPES[type]];
  addNew(outputs, [...(paged ? PAGES : []), ...(mapped ? [MISSING, WARNINGS] : [])]);
  return outputs;
}

const WARNINGS: FieldSpec = {
  name: 'warnings',
  type: 'record[]',
  description: 'Values that their rule could not read; they are null. Absent when there are none',
};

function fileOutputs(endpoint: FileEndpoint): FieldSpec[] {
  const groups = Object.entries(endpoint.groups).map(([name, group]) => ({
    name,
    type: 'record[]',
    fields: withEdition([...ORIGIN, ...groupFields(endpoint, group)], endpoint) ?? [],
  }));
  return [
    ...groups,
    {
      name: 'files',
      type: 'record[]',
      description: 'Files that were read',
      fields: [...ORIGIN, { name: 'records', type: 'integer' }],
    },
    {
      name: 'errors',
      type: 'record[]',
      description: 'Files that could not be read',
      fields: [
        ...ORIGIN,
        { name: 'code', type: 'string' },
        { name: 'message', type: 'string' },
        { name: 'line', type: 'integer' },
        { name: 'column', type: 'integer' },
      ],
    },
    { name: 'error_count', type: 'integer', description: 'Number of files that could not be read' },
    { name: 'warnings', type: 'record[]', description: 'Values that did not have the declared type; they are null' },
    ...(Object.keys(endpoint.response_mapping?.fields ?? {}).length > 0 ? [MISSING] : []),
  ];
}

/** Fields of the file's own record that each row repeats, then those of the row. */
function groupFields(endpoint: FileEndpoint, group: FileList): FieldSpec[] {
  const carried = new Set(group.carry);
  return [
    ...specsOf(endpoint.fields.filter((field) => carried.has(field.field))),
    ...specsOf(group.fields.filter((field) => !carried.has(field.field))),
  ];
}
