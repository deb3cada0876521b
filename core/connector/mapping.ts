import type { FieldSpec } from '../actions/types';
import { type Fields, safeRecord } from './fields';
import { parseDotPath } from './path';
import type { EndpointCommon, EndpointSchema, EntityRule, ResponseMapping } from './types';

const NAME = {
  pattern: /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/,
  hint: 'letters, digits, `_` and `-`, beginning with a letter or `_`',
};
const TYPE = /^[a-z_]{1,30}(\[\])?$/;

/** The parts that endpoints of every type share. `checkPath` says what is wrong with a mapping path. */
export function readEndpointCommon(fields: Fields, checkPath: PathCheck = checkDotPath): EndpointCommon {
  const description = fields.text('description', { max: 10_000 });
  const mapping = readMapping(fields.child('response_mapping'), checkPath);
  const schema = readSchema(fields.child('output_schema'));
  return {
    ...(description === undefined ? {} : { description }),
    ...(mapping === undefined ? {} : { response_mapping: mapping }),
    ...(schema === undefined ? {} : { output_schema: schema }),
  };
}

export type PathCheck = (path: string) => string | undefined;

export function checkDotPath(path: string): string | undefined {
  return parseDotPath(path) === undefined ? `\`${path}\` is no path; write it like \`data.items[0].name\`.` : undefined;
}

function readMapping(mapping: Fields | undefined, checkPath: PathCheck): ResponseMapping | undefined {
  if (mapping === undefined) {
    return undefined;
  }
  const entityType = mapping.text('entity_type', { max: 100 });
  const resultsPath = mapping.text('results_path');
  const fields = mapping.textMap('fields') ?? safeRecord<string>([]);
  checkMapping(mapping, resultsPath, fields, checkPath);
  const rules = mapping.children('entity_extraction').map(readEntityRule);
  checkEntityFields(mapping, rules, fields);
  mapping.done();
  return {
    ...(entityType === undefined ? {} : { entity_type: entityType }),
    ...(resultsPath === undefined ? {} : { results_path: resultsPath }),
    fields,
    entity_extraction: rules,
  };
}

function checkMapping(
  mapping: Fields,
  resultsPath: string | undefined,
  fields: Record<string, string>,
  checkPath: PathCheck,
): void {
  const wrong = resultsPath === undefined ? undefined : checkPath(resultsPath);
  if (wrong !== undefined) {
    mapping.report.add(mapping.at('results_path'), 'invalid_path', wrong);
  }
  for (const [name, path] of Object.entries(fields)) {
    checkName(mapping, [...mapping.at('fields'), name], name);
    const fault = checkPath(path);
    if (fault !== undefined) {
      mapping.report.add([...mapping.at('fields'), name], 'invalid_path', fault);
    }
  }
}

/** Names of output fields become references of a playbook. */
export function checkName(fields: Fields, path: readonly (string | number)[], name: string): void {
  if (!NAME.pattern.test(name)) {
    fields.report.add(path, 'invalid_value', `\`${name}\` is no field name: ${NAME.hint}.`);
  }
}

function readEntityRule(rule: Fields): EntityRule {
  const field = rule.text('field', { required: true });
  const entityType = rule.text('entity_type', { required: true, max: 100 });
  const relationship = rule.text('relationship_type', { max: 100 });
  rule.done();
  return {
    field: field ?? '',
    entity_type: entityType ?? '',
    ...(relationship === undefined ? {} : { relationship_type: relationship }),
  };
}

function checkEntityFields(mapping: Fields, rules: EntityRule[], fields: Record<string, string>): void {
  const known = Object.keys(fields);
  rules.forEach((rule, index) => {
    if (known.length > 0 && rule.field !== '' && !known.includes(rule.field)) {
      const message = `\`${rule.field}\` is no field of the mapping. Known: ${known.join(', ')}.`;
      mapping.report.add([...mapping.at('entity_extraction'), index, 'field'], 'unknown_reference', message);
    }
  });
}

function readSchema(schema: Fields | undefined): EndpointSchema | undefined {
  if (schema === undefined) {
    return undefined;
  }
  const type = schema.choice('type', ['record_set', 'object', 'scalar'] as const) ?? 'record_set';
  const fields = schema.children('fields').map(readSchemaField);
  const metadata = schema.children('metadata_fields').map(readSchemaField);
  schema.done();
  return { type, fields, metadata_fields: metadata };
}

function readSchemaField(field: Fields): FieldSpec {
  const name = field.text('name', { required: true, ...NAME });
  const type = field.text('type', { pattern: TYPE, hint: 'a type such as `string`, `number` or `string[]`' });
  const description = field.text('description');
  const required = field.flag('required');
  const nested = field.children('fields').map(readSchemaField);
  field.done();
  return {
    name: name ?? '',
    type: type ?? 'any',
    ...(description === undefined ? {} : { description }),
    ...(required === undefined ? {} : { required }),
    ...(nested.length === 0 ? {} : { fields: nested }),
  };
}
