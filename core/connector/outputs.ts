import type { FieldSpec } from '../actions/types';
import { ownField } from '../base/json';
import type { JsonObject } from '../base/json';
import { pathOf } from './field-rule';
import type {
  ConnectorDefinition,
  Endpoint,
  FileConnector,
  FileEndpoint,
  FileField,
  RestEndpoint,
  ValueType,
} from './types';

/** Outputs that every call of a file parser has besides its groups. */
export const FILE_ENVELOPE = ['results', 'count', 'files', 'errors', 'warnings', 'error_count'];

/** Columns that tell which file a row comes from. */
const ORIGIN: FieldSpec[] = [
  { name: 'file', type: 'string', description: 'Name of the file' },
  {
    name: 'file_id',
    type: 'string',
    description: 'Tells files of one call apart: path in the directory, document id or address',
  },
];

/** The endpoint of that name, or nothing. A name never reaches a prototype. */
export function findEndpoint(definition: ConnectorDefinition, name: string): Endpoint | undefined {
  return ownField(definition.endpoints as unknown as JsonObject, name) as unknown as Endpoint | undefined;
}

/** What a call of the endpoint takes. */
export function endpointInputs(definition: ConnectorDefinition, endpoint: string): FieldSpec[] {
  if (definition.type === 'file_parser') {
    return fileInputs(definition);
  }
  const found = findEndpoint(definition, endpoint) as RestEndpoint | undefined;
  return (found?.parameters ?? []).map((parameter) => ({
    name: parameter.name,
    type: fieldType(parameter.type),
    required: parameter.required && parameter.default === undefined,
    ...(parameter.description === undefined ? {} : { description: parameter.description }),
    ...(parameter.default === undefined ? {} : { default: parameter.default }),
    ...(parameter.enum === undefined || !parameter.enum.every((item) => typeof item === 'string')
      ? {}
      : { enum: parameter.enum }),
  }));
}

function fileInputs(definition: FileConnector): FieldSpec[] {
  const inputs: FieldSpec[] = [];
  if (definition.connection.sources.includes('directory')) {
    inputs.push({ name: 'directory', type: 'string', description: 'Directory below a root that the operator granted' });
    inputs.push({
      name: 'files',
      type: 'string[]',
      description: 'Names of files in that directory; absent = all of an accepted format',
    });
  }
  if (definition.connection.sources.includes('upload')) {
    inputs.push({ name: 'documents', type: 'any', description: 'Document id, list of ids, or list of documents' });
  }
  if (definition.connection.sources.includes('url')) {
    inputs.push({ name: 'urls', type: 'any', description: 'Address or list of addresses' });
  }
  return inputs;
}

/** What a call of the endpoint gives: the declared schema, else inferred from the mapping. */
export function endpointOutputs(definition: ConnectorDefinition, endpoint: string): FieldSpec[] {
  const found = findEndpoint(definition, endpoint);
  if (found === undefined) {
    return [];
  }
  const records: FieldSpec = { name: 'results', type: 'record[]', description: found.description ?? 'The records' };
  const fields = recordFields(definition, found);
  const outputs: FieldSpec[] = [
    fields === undefined ? records : { ...records, fields },
    { name: 'count', type: 'integer', description: 'Number of records' },
  ];
  if (found.output_schema?.type === 'object') {
    outputs.push(...(fields ?? []).filter((field) => !outputs.some((known) => known.name === field.name)));
  }
  outputs.push(
    ...(definition.type === 'file_parser'
      ? fileOutputs(found as FileEndpoint)
      : [{ name: 'status', type: 'integer', description: 'HTTP status' }]),
  );
  const metadata = found.output_schema?.metadata_fields ?? [];
  return [...outputs, ...metadata.filter((field) => !outputs.some((known) => known.name === field.name))];
}

/** Fields of one record; nothing when any field may come. */
function recordFields(definition: ConnectorDefinition, endpoint: Endpoint): FieldSpec[] | undefined {
  const declared = endpoint.output_schema?.fields ?? [];
  const mapped = Object.keys(endpoint.response_mapping?.fields ?? {});
  if (definition.type === 'rest_api') {
    return declared.length > 0 ? declared : inferred(mapped, []);
  }
  const own = (endpoint as FileEndpoint).fields;
  const record =
    declared.length > 0
      ? declared
      : mapped.length > 0
        ? inferred(mapped, own, endpoint.response_mapping?.fields)
        : specs(own);
  return record === undefined || record.length === 0 ? undefined : [...ORIGIN, ...record];
}

function inferred(names: string[], own: FileField[], mapping: NonNullable<Endpoint['response_mapping']>['fields'] = {}): FieldSpec[] | undefined {
  if (names.length === 0) {
    return undefined;
  }
  return names.map((name) => {
    const source = own.find((field) => field.field === pathOf(mapping[name] ?? ''));
    return { name, type: source === undefined ? 'any' : fieldType(source.type) };
  });
}

function fileOutputs(endpoint: FileEndpoint): FieldSpec[] {
  const groups = Object.entries(endpoint.groups).map(([name, group]) => ({
    name,
    type: 'record[]',
    fields: [
      ...ORIGIN,
      ...specs(endpoint.fields.filter((field) => group.carry.includes(field.field))),
      ...specs(group.fields.filter((field) => !group.carry.includes(field.field))),
    ],
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
  ];
}

function specs(fields: FileField[]): FieldSpec[] {
  return fields.map((field) => ({
    name: field.field,
    type: fieldType(field.type),
    ...(field.description === undefined ? {} : { description: field.description }),
  }));
}

function fieldType(type: ValueType): string {
  if (type === 'datetime') {
    return 'string';
  }
  return type === 'array' ? 'any[]' : type;
}
