import { shorten } from '../base/shorten';
import { type Fields, nearestName, safeRecord } from './fields';
import { checkColumn, checkDotPath, type PathCheck } from './mapping-path';
import { readRule } from './rule-reader';
import { readOutputSchema } from './output-schema-reader';
import { readHooks } from './hooks-reader';
import { MAX_DESCRIPTION } from './limits';
import { DOCS, NAME } from './patterns';
import {
  type EndpointCommon,
  type EntityRule,
  type FieldRule,
  type ResponseMapping,
  RESULTS_KINDS,
  TESTED,
} from './types';

export interface CommonRules {
  /** Check of the paths in `fields`. */
  checkPath?: PathCheck;
  /** Check of `results_path`, if it is another kind of path. */
  checkResults?: PathCheck;
  /** Fields of a record when the mapping names none. */
  known?: readonly string[];
  /** The answer is JSON: one record and a list of them can be told apart. */
  json?: boolean;
  /** Check of `has`; absent = answers of this kind have no such check. */
  checkHas?: PathCheck;
}

/** Rules of answers in JSON. */
export const JSON_RULES: CommonRules = { json: true, checkHas: checkDotPath };

/** The parts that endpoints of every type share. */
export function readEndpointCommon(fields: Fields, rules: CommonRules = {}): EndpointCommon {
  const description = fields.text('description', { max: MAX_DESCRIPTION });
  const hooks = readHooks(fields);
  readNotes(fields);
  const mapping = readMapping(fields.child('response_mapping'), rules);
  const schema = readOutputSchema(fields.child('output_schema'));
  return {
    ...(description === undefined ? {} : { description }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(mapping === undefined ? {} : { response_mapping: mapping }),
    ...(schema === undefined ? {} : { output_schema: schema }),
  };
}

/** Checks the notes for people: they stay in the text alone, no run depends on them. */
function readNotes(fields: Fields): void {
  fields.text('docs', DOCS);
  fields.choice('tested', TESTED);
}

function readMapping(mapping: Fields | undefined, rules: CommonRules): ResponseMapping | undefined {
  if (mapping === undefined) {
    return undefined;
  }
  const checkPath = rules.checkPath ?? checkDotPath;
  const entityType = mapping.text('entity_type', { max: 100 });
  const resultsPath = readCheckedPath(mapping, 'results_path', rules.checkResults ?? checkPath);
  const resultsAre = mapping.choice('results_are', RESULTS_KINDS);
  const has = readCheckedPath(mapping, 'has', rules.checkHas ?? checkColumn);
  if (resultsAre !== undefined && rules.json !== true) refuseKey(mapping, 'results_are', 'answers in JSON');
  if (has !== undefined && rules.checkHas === undefined) refuseKey(mapping, 'has', 'answers in JSON and for pages');
  const fields = readFieldMap(mapping, checkPath);
  const names = Object.keys(fields);
  const entities = mapping.children('entity_extraction').map(readEntityRule);
  checkEntityFields(mapping, entities, names.length > 0 ? names : (rules.known ?? []));
  mapping.done();
  return {
    ...(entityType === undefined ? {} : { entity_type: entityType }),
    ...(resultsPath === undefined ? {} : { results_path: resultsPath }),
    ...(resultsAre === undefined ? {} : { results_are: resultsAre }),
    ...(has === undefined ? {} : { has }),
    fields,
    entity_extraction: entities,
  };
}

function refuseKey(mapping: Fields, key: string, only: string): void {
  const message = `\`${key}\` has a meaning for ${only} alone.`;
  mapping.report.add(mapping.at(key), 'invalid_value', message, { at: 'key' });
}

function readCheckedPath(mapping: Fields, key: 'results_path' | 'has', check: PathCheck): string | undefined {
  const path = mapping.text(key);
  const fault = path === undefined ? undefined : check(path);
  if (fault !== undefined) {
    mapping.report.add(mapping.at(key), 'invalid_path', fault);
  }
  return path;
}

/** Output field → path as text, or a rule. */
function readFieldMap(mapping: Fields, checkPath: PathCheck): Record<string, string | FieldRule> {
  const child = mapping.child('fields');
  const pairs: [string, string | FieldRule][] = [];
  for (const name of Object.keys(child?.value ?? {})) {
    if (child === undefined) {
      break;
    }
    checkName(child, child.at(name), name);
    const read = typeof child.raw(name) === 'object' ? readRule(child.child(name), checkPath) : child.text(name);
    const fault = typeof read === 'string' ? checkPath(read) : undefined;
    if (fault !== undefined) {
      child.report.add(child.at(name), 'invalid_path', fault);
    }
    if (read !== undefined) {
      pairs.push([name, read]);
    }
  }
  return safeRecord(pairs);
}

/** Names of output fields become references of a playbook. */
export function checkName(fields: Fields, path: readonly (string | number)[], name: string): void {
  if (!NAME.pattern.test(name)) {
    fields.report.add(path, 'invalid_value', `\`${shorten(name, 80)}\` is no field name: ${NAME.hint}.`);
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

function checkEntityFields(mapping: Fields, rules: readonly EntityRule[], known: readonly string[]): void {
  const names = new Set(known);
  for (const [index, { field }] of rules.entries()) {
    if (mapping.report.isFull) {
      return;
    }
    if (known.length > 0 && field !== '' && !names.has(field)) {
      const message = `\`${field}\` is no field of the mapping. Known: ${known.slice(0, 50).join(', ')}.`;
      const at = [...mapping.at('entity_extraction'), index, 'field'];
      mapping.report.add(at, 'unknown_reference', message, nearestName(field, known));
    }
  }
}
