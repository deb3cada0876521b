import { DESTINATION_FORMATS, DESTINATION_TYPES } from '../actions/destinations';
import type { JsonObject } from '../base/json';
import { Fields, nearestName } from '../connector/fields';
import { CONNECTOR_ID } from '../connector/patterns';
import { Report } from '../connector/report';
import type { Problem } from '../errors/problem';
import { readSource } from '../playbook/source';
import type { ProfileTemplate, TemplateConnector, TemplateSkill } from './types';

export interface ParsedProfile {
  /** Present when no problem is an error. */
  template?: ProfileTemplate;
  problems: Problem[];
}

/** Names that the template may use. */
export interface KnownNames {
  connectors: readonly string[];
  playbooks: readonly string[];
}

const MODEL = { pattern: /^[^/\s]+\/\S+$/, hint: 'written `provider/model`', max: 255 };
const ROUNDS = { min: 1, max: 20 };
const MAX_PROMPT = 50_000;

/** Reads the template of an agent profile from YAML or JSON and returns every problem at once. Never throws. */
export function parseProfile(text: string, known: KnownNames): ParsedProfile {
  const { document, problems } = readSource(text);
  if (document === undefined) {
    return { problems: problems.sorted() };
  }
  const top = Fields.of(new Report(document, problems), [], document.toJson());
  const template = top === undefined ? undefined : readTemplate(top, known);
  const found = problems.sorted();
  return template === undefined || problems.hasErrors ? { problems: found } : { template, problems: found };
}

function readTemplate(top: Fields, known: KnownNames): ProfileTemplate {
  const id = top.text('id', { required: true, ...CONNECTOR_ID }) ?? '';
  const name = top.text('name', { required: true, max: 255 }) ?? id;
  const texts = {
    description: top.text('description', { max: 10_000 }),
    icon: top.text('icon', { max: 50 }),
    model_preference: top.text('model_preference', MODEL),
    max_research_rounds: top.integer('max_research_rounds', ROUNDS),
    system_prompt_additions: top.text('system_prompt_additions', { max: MAX_PROMPT }),
  };
  const template = {
    id,
    name,
    ...given(texts),
    knowledge_config: readKnowledge(top),
    output_config: readOutput(top),
    connectors: readConnectors(top, known),
    skills: readSkills(top, known),
  };
  top.done();
  return template;
}

function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function readConnectors(top: Fields, known: KnownNames): TemplateConnector[] {
  return top.children('data_sources').map((fields) => {
    const connector = readName(fields, 'connector', known.connectors) ?? '';
    const source = { connector, is_enabled: fields.flag('is_enabled') ?? true };
    fields.done();
    return source;
  });
}

/** Higher numbers come first; the order of the text counts. */
function readSkills(top: Fields, known: KnownNames): TemplateSkill[] {
  const list = top.children('skills');
  return list.map((fields, index) => {
    const priority = list.length - index;
    const builtIn = fields.text('skill', { max: 200 });
    const playbook = builtIn === undefined ? readName(fields, 'playbook', known.playbooks) : undefined;
    fields.done();
    return builtIn === undefined ? { playbook: playbook ?? '', priority } : { built_in: builtIn, priority };
  });
}

function readName(fields: Fields, key: 'connector' | 'playbook', known: readonly string[]): string | undefined {
  const name = fields.text(key, { required: true });
  if (name !== undefined && !known.includes(name)) {
    fields.report.add(fields.at(key), `unknown_${key}`, `There is no ${key} \`${name}\`.`, nearestName(name, known));
  }
  return name;
}

function readKnowledge(top: Fields): JsonObject {
  const fields = top.child('knowledge_config');
  if (fields === undefined) {
    return {};
  }
  const config = given({
    read_collections: fields.texts('read_collections'),
    write_collection: fields.text('write_collection', { max: 200 }),
    graph_namespaces: fields.texts('graph_namespaces'),
    auto_enrich: fields.flag('auto_enrich'),
    entity_resolution: fields.flag('entity_resolution'),
  });
  fields.done();
  return config;
}

function readOutput(top: Fields): JsonObject {
  const fields = top.child('output_config');
  if (fields === undefined) {
    return {};
  }
  const enrich = fields.flag('auto_enrich_graph');
  const destinations = fields.children('destinations').map(readDestination);
  fields.done();
  return { ...(enrich === undefined ? {} : { auto_enrich_graph: enrich }), destinations };
}

function readDestination(fields: Fields): JsonObject {
  const type = fields.choice('type', DESTINATION_TYPES, { required: true }) ?? '';
  const format = fields.choice('format', DESTINATION_FORMATS);
  const config = fields.child('config')?.value;
  fields.done();
  return {
    type,
    ...(format === undefined ? {} : { format }),
    ...(config === undefined ? {} : { config }),
  };
}
