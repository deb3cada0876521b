import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject } from '../../../core/base/json';
import { connectorJsonSchema } from '../../../core/connector/json-schema/connector-schema';
import { CONNECTOR_TYPES } from '../../../core/connector/types';

const INTRO = `# Fields of a connector

<!-- Generated from core/connector/json-schema; AF_WRITE_DOCS=1 npx jest --selectProjects small --testPathPatterns core/connector writes it anew. -->

Every field that the language has, with its limits and what counts when it is absent. \`*\` marks what must be there. The
same is a JSON Schema: [connector.schema.json](connector.schema.json). Examples and behaviour: [connectors](connectors.md).
`;

const schema = connectorJsonSchema();
const parts = schema['$defs'] as Record<string, JsonObject>;
const TYPE_PARTS = CONNECTOR_TYPES.flatMap((type) => [`${type}_connection`, `${type}_endpoint`]);

/** The Markdown of docs/connector-fields.md. */
export function languagePage(): string {
  const shared = Object.keys(parts).filter((name) => !TYPE_PARTS.includes(name));
  const sections = [
    INTRO,
    section('Every connector', schema),
    ...CONNECTOR_TYPES.flatMap((type) => [
      `## ${type}\n`,
      section(`Connection of ${type}`, part(`${type}_connection`), '###'),
      section(`Endpoint of ${type}`, part(`${type}_endpoint`), '###'),
    ]),
    '## Parts that several types share\n',
    ...shared.map((name) => section(name, part(name), '###')),
  ];
  return `${sections.join('\n').trimEnd()}\n`;
}

function part(name: string): JsonObject {
  const found = parts[name];
  if (found === undefined) throw new Error(`The schema has no part ${name}`);
  return found;
}

function section(title: string, object: JsonObject, level = '##'): string {
  const alternatives = Array.isArray(object['oneOf']) ? object['oneOf'].filter(isJsonObject) : [];
  const shapes = alternatives.filter((shape) => isJsonObject(shape['properties']));
  const tables = isJsonObject(object['properties']) ? [table(object)] : shapes.map((shape) => shapeOf(shape));
  return [`${level} ${title}\n`, `${textOf(object['description'])}.\n`, ...tables].join('\n');
}

/** One of several shapes: it is told by the field that has a fixed value. */
function shapeOf(shape: JsonObject): string {
  const properties = shape['properties'] as Record<string, JsonObject>;
  const [key, rule] = Object.entries(properties).find(([, each]) => each['const'] !== undefined) ?? [];
  const rest = Object.fromEntries(Object.entries(properties).filter(([name]) => name !== key));
  const head = `\`${key ?? ''}: ${textOf(rule?.['const'])}\`: ${textOf(shape['description'])}.\n`;
  return Object.keys(rest).length === 0 ? head : `${head}\n${table({ ...shape, properties: rest })}`;
}

function table(object: JsonObject): string {
  const required = Array.isArray(object['required']) ? object['required'] : [];
  const rows = Object.entries(object['properties'] as Record<string, JsonObject>).map(
    ([name, field]) => `| \`${name}\`${required.includes(name) ? ' *' : ''} | ${typeOf(field)} | ${meaning(field)} |`,
  );
  return `| field | type | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function typeOf(field: JsonObject): string {
  if (typeof field['$ref'] === 'string') {
    const name = field['$ref'].replace('#/$defs/', '');
    return `[${name}](#${name})`;
  }
  if (field['const'] !== undefined) return `\`${textOf(field['const'])}\``;
  const options = field['anyOf'];
  if (Array.isArray(options)) {
    return [...new Set(options.filter(isJsonObject).map(typeOf))].join(' or ');
  }
  if (field['type'] === 'array') return `list of ${isJsonObject(field['items']) ? typeOf(field['items']) : 'values'}`;
  if (field['type'] === 'object' && isJsonObject(field['additionalProperties'])) {
    return `name → ${typeOf(field['additionalProperties'])}`;
  }
  return NAMES[textOf(field['type'])] ?? 'any value';
}

const NAMES: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: '`true` or `false`',
  object: 'keys and values',
};

function meaning(field: JsonObject): string {
  const target = typeof field['$ref'] === 'string' ? part(field['$ref'].replace('#/$defs/', '')) : undefined;
  const description = field['description'] ?? target?.['description'] ?? '';
  const sentences = [`${textOf(description)}.`, valuesOf(field), boundsOf(field), standardOf(field['default'])];
  return sentences
    .filter((sentence) => sentence !== '')
    .join(' ')
    .replaceAll('|', '\\|');
}

/** Long lists are told by the schema file. */
function valuesOf(field: JsonObject): string {
  const list = Array.isArray(field['enum']) ? field['enum'] : optionsOf(field);
  return list.length === 0 ? '' : `One of ${list.map((value) => `\`${textOf(value)}\``).join(', ')}.`;
}

function optionsOf(field: JsonObject): Json[] {
  const options = Array.isArray(field['anyOf']) ? field['anyOf'] : [];
  const found = options.filter(isJsonObject).find((option) => Array.isArray(option['enum']));
  return Array.isArray(found?.['enum']) ? found['enum'] : [];
}

function boundsOf(field: JsonObject): string {
  const { minimum, maximum, maxLength } = field;
  if (minimum !== undefined) return `${textOf(minimum)} to ${textOf(maximum)}.`;
  return typeof maxLength === 'number' && maxLength !== 2000 ? `At most ${maxLength} characters.` : '';
}

function standardOf(value: Json | undefined): string {
  return value === undefined ? '' : `Default \`${JSON.stringify(value)}\`.`;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}
