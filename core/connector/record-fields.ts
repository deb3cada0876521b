import { getContract } from '../actions/registry';
import type { FieldSpec } from '../actions/types';
import type { Json } from '../base/json';
import { hasTime } from './date-format';
import { FEED_ITEM } from './feed-items';
import { toolName } from './find-endpoint';
import { fieldType } from './inputs';
import { parseDotPath } from './path';
import type {
  ConnectorDefinition,
  Endpoint,
  FieldRule,
  FileEndpoint,
  ScraperEndpoint,
  ToolEndpoint,
  Transform,
  ValueType,
} from './types';

/** Fields of one record: declared, or inferred from the mapping, or those of the reader; nothing when any may come. */
export function recordFields(definition: ConnectorDefinition, endpoint: Endpoint): FieldSpec[] | undefined {
  const declared = endpoint.output_schema?.fields ?? [];
  if (declared.length > 0) {
    return declared;
  }
  const own = ownFields(definition, endpoint);
  const mapping = Object.entries(endpoint.response_mapping?.fields ?? {});
  const byName = new Map(own.map((field) => [field.name, field]));
  const fields = mapping.length > 0 ? mapping.map(([name, rule]) => inferred(name, rule, byName)) : own;
  return fields.length === 0 ? undefined : fields;
}

/** Fields that the reader of the type gives before any mapping. */
function ownFields(definition: ConnectorDefinition, endpoint: Endpoint): FieldSpec[] {
  switch (definition.type) {
    case 'file_parser':
      return specsOf((endpoint as FileEndpoint).fields);
    case 'web_scraper':
      return (endpoint as ScraperEndpoint).fields.map((field) => ({
        ...specOf(field),
        type: field.multiple ? listOf(fieldType(field.type)) : fieldType(field.type),
      }));
    case 'rss_feed':
      return FEED_ITEM;
    case 'existing_tool':
      return recordsOfTool(toolName(definition, endpoint as ToolEndpoint));
    default:
      return [];
  }
}

function recordsOfTool(tool: string): FieldSpec[] {
  return getContract(tool)?.outputs.find((output) => output.name === 'results')?.fields ?? [];
}

export function specsOf(fields: readonly ReaderField[]): FieldSpec[] {
  return fields.map(specOf);
}

interface ReaderField {
  field: string;
  type: ValueType;
  description?: string;
}

function specOf({ field, type, description }: ReaderField): FieldSpec {
  return { name: field, type: fieldType(type), ...(description === undefined ? {} : { description }) };
}

function listOf(type: string): string {
  return type.endsWith('[]') ? 'any[]' : `${type}[]`;
}

function inferred(name: string, rule: string | FieldRule, own: ReadonlyMap<string, FieldSpec>): FieldSpec {
  const full: FieldRule = typeof rule === 'string' ? { path: rule, transforms: [] } : rule;
  const source = own.get(full.path ?? '');
  if (full.constant !== undefined) {
    return { name, type: typeOfValue(full.constant) };
  }
  const start = source?.type ?? (isProjection(full.path ?? '') ? 'any[]' : 'any');
  const type = full.transforms.reduce(afterTransform, start);
  const same = full.transforms.length === 0 ? source : undefined;
  return {
    name,
    type,
    ...(same?.description === undefined ? {} : { description: same.description }),
    ...(same?.fields === undefined ? {} : { fields: same.fields }),
  };
}

function isProjection(path: string): boolean {
  return parseDotPath(path)?.some((segment) => segment.kind === 'each') === true;
}

/** Transforms of a list change its elements. */
function afterTransform(before: string, transform: Transform): string {
  if (transform.op === 'split') {
    return 'string[]';
  }
  const list = before.endsWith('[]');
  const element = elementAfter(list ? before.slice(0, -2) : before, transform);
  return list ? listOf(element) : element;
}

function elementAfter(before: string, transform: Transform): string {
  switch (transform.op) {
    case 'number':
      return 'number';
    case 'date':
      return hasTime(transform.format) ? 'string' : 'date';
    case 'map':
      return typeOfMap(transform);
    default:
      return 'string';
  }
}

/** Every value is one of those written with `otherwise` alone. */
function typeOfMap(transform: Transform & { op: 'map' }): string {
  if (transform.otherwise === undefined) {
    return 'any';
  }
  const types = new Set([...Object.values(transform.values), transform.otherwise].filter(isThere).map(typeOfValue));
  const [type] = types;
  return types.size === 1 && type !== undefined ? type : 'any';
}

function isThere(value: Json): boolean {
  return value !== null;
}

function typeOfValue(value: Json): string {
  if (Array.isArray(value)) return 'any[]';
  if (value === null) return 'any';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}
