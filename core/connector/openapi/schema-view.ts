import type { Json, JsonObject } from '../../base/json';
import { isJsonObject, ownField } from '../../base/json';
import type { ValueType } from '../types';
import type { Documents } from './documents';
import { keyOf } from './documents';
import type { DocumentNode } from './document-node';

/** A schema with its `allOf`, `oneOf` and `anyOf` folded into one: what a reader of values has to know. */
export interface SchemaView {
  key: string;
  type: ValueType;
  properties: Map<string, DocumentNode>;
  required: Set<string>;
  items?: DocumentNode;
  enum?: Json[];
  default?: Json;
  description?: string;
  readOnly: boolean;
  writeOnly: boolean;
}

const MAX_FOLD = 10;
const MAX_PROPERTIES = 500;

/** One schema may be referred to thousands of times; it is folded once. */
const KNOWN = new WeakMap<Documents, Map<string, SchemaView>>();

export function viewOf(documents: Documents, node: DocumentNode): SchemaView {
  const known = KNOWN.get(documents) ?? new Map<string, SchemaView>();
  KNOWN.set(documents, known);
  const key = keyOf(node);
  const view = known.get(key) ?? folded(documents, node, key);
  known.set(key, view);
  return view;
}

function folded(documents: Documents, node: DocumentNode, key: string): SchemaView {
  const view: SchemaView = {
    key,
    type: 'any',
    properties: new Map(),
    required: new Set(),
    readOnly: documents.flag(node, 'readOnly'),
    writeOnly: documents.flag(node, 'writeOnly'),
  };
  const types = new Set<ValueType>();
  fold({ documents, view, types, seen: new Set() }, node, { depth: 0, all: true });
  const [only] = types;
  view.type = types.size === 1 && only !== undefined ? only : types.size > 1 ? commonType(types) : impliedType(view);
  return view;
}

interface Fold {
  documents: Documents;
  view: SchemaView;
  types: Set<ValueType>;
  seen: Set<string>;
}

/** `all` = everything here holds for the value; inside `oneOf` and `anyOf` it only may. */
function fold(use: Fold, node: DocumentNode, how: { depth: number; all: boolean }): void {
  const { value } = node;
  const { documents, seen } = use;
  if (!isJsonObject(value) || how.depth > MAX_FOLD || seen.has(keyOf(node))) return;
  seen.add(keyOf(node));
  takeOwn(use, node, value, how.all);
  for (const part of documents.children(documents.child(node, 'allOf'))) {
    fold(use, part.node, { depth: how.depth + 1, all: how.all });
  }
  for (const choice of ['oneOf', 'anyOf']) {
    for (const part of documents.children(documents.child(node, choice))) {
      fold(use, part.node, { depth: how.depth + 1, all: false });
    }
  }
}

function takeOwn({ documents, view, types }: Fold, node: DocumentNode, value: JsonObject, all: boolean): void {
  for (const type of typesOf(value)) types.add(type);
  for (const { key, node: property } of documents.children(documents.child(node, 'properties'))) {
    if (view.properties.size < MAX_PROPERTIES && !view.properties.has(key)) view.properties.set(key, property);
  }
  const required = ownField(value, 'required');
  if (all && Array.isArray(required)) {
    for (const name of required) if (typeof name === 'string') view.required.add(name);
  }
  const items = documents.child(node, 'items');
  if (view.items === undefined && items !== undefined) view.items = items;
  takeValues(view, value, all);
}

function takeValues(view: SchemaView, value: JsonObject, all: boolean): void {
  const description = ownField(value, 'description') ?? ownField(value, 'title');
  if (view.description === undefined && typeof description === 'string') view.description = description;
  const fallback = ownField(value, 'default');
  if (view.default === undefined && fallback !== undefined && fallback !== null) view.default = fallback;
  const constant = ownField(value, 'const');
  const lists = [ownField(value, 'enum'), constant === undefined ? undefined : [constant]];
  for (const options of lists) if (all && Array.isArray(options)) view.enum = allowedBy(view.enum, options);
}

/** Values that every part allows. */
function allowedBy(before: Json[] | undefined, options: Json[]): Json[] {
  const known = before && new Set(before.map((item) => JSON.stringify(item)));
  return options.filter((item) => item !== null && known?.has(JSON.stringify(item)) !== false);
}

const TYPES: Readonly<Record<string, ValueType>> = {
  string: 'string',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  object: 'object',
  array: 'array',
};

function typesOf(value: JsonObject): ValueType[] {
  const declared = ownField(value, 'type');
  const names = Array.isArray(declared) ? declared : [declared];
  const format = ownField(value, 'format');
  return names.flatMap((name): ValueType[] => {
    if (typeof name !== 'string' || !Object.hasOwn(TYPES, name)) return [];
    if (name === 'string' && format === 'date') return ['date'];
    if (name === 'string' && format === 'date-time') return ['datetime'];
    return [TYPES[name] ?? 'any'];
  });
}

/** One type that holds for all of them. */
function commonType(types: ReadonlySet<ValueType>): ValueType {
  const within = (...allowed: ValueType[]): boolean => [...types].every((type) => allowed.includes(type));
  if (within('number', 'integer')) return 'number';
  return within('string', 'date', 'datetime') ? 'string' : 'any';
}

function impliedType(view: SchemaView): ValueType {
  if (view.properties.size > 0) return 'object';
  if (view.items !== undefined) return 'array';
  const kinds = new Set((view.enum ?? []).map((item) => typeof item));
  return kinds.size === 1 && kinds.has('string') ? 'string' : 'any';
}
