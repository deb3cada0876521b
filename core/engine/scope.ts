import { isJsonObject, ownField, type Json } from '../base/json';
import { resolveBuiltin } from '../expr/builtins';
import { walkPath } from '../expr/reference';
import type { Lookup, PathSegment, Reference } from '../expr/types';
import type { Machine } from './machine';
import type { Scope, ScopeEntry } from './state';
import type { RefValue, StoredValue } from './values';

/** Replay-sensitive. What a reference means at a place of the run. */

const UNDEFINED: RefValue = { kind: 'undefined' };
const NOTHING: StoredValue = { value: null };

function valueRef(value: Json | undefined): RefValue {
  return value === undefined ? UNDEFINED : { kind: 'value', value };
}

/** Follows a path into a value whose large parts may lie behind handles. */
export function readStored(stored: StoredValue, path: PathSegment[]): RefValue {
  const handles = stored.handles;
  if (!handles) return valueRef(walkPath(stored.value, path));
  const first = path[0];
  const touches =
    handles[''] !== undefined || first === undefined || (first.kind === 'field' && Object.hasOwn(handles, first.name));
  return touches ? { kind: 'stored', stored, path } : valueRef(walkPath(stored.value, path));
}

function readEntry(entry: ScopeEntry, path: PathSegment[]): RefValue {
  const [first, ...rest] = path;
  if (first?.kind === 'field') {
    if (first.name === 'status') return valueRef(walkPath(entry.status, rest));
    if (first.name === 'decision') return valueRef(entry.decision);
    if (first.name === 'error') return valueRef(entry.error && walkPath(errorJson(entry), rest));
    if (first.name === 'result') return entry.status === 'ok' ? readStored(entry.out, rest) : UNDEFINED;
  }
  return entry.status === 'ok' ? readStored(entry.out, path) : UNDEFINED;
}

function errorJson(entry: ScopeEntry): Json {
  return { code: entry.error?.code ?? '', message: entry.error?.message ?? '' };
}

function findInScopes(
  m: Machine,
  scopeId: string,
  name: string,
): { var: StoredValue } | { entry: ScopeEntry } | undefined {
  let scope: Scope | undefined = m.state.scopes[scopeId];
  while (scope) {
    if (Object.hasOwn(scope.vars, name)) return { var: scope.vars[name] ?? NOTHING };
    const entry = Object.hasOwn(scope.entries, name) ? scope.entries[name] : undefined;
    if (entry) return { entry };
    scope = scope.parent === undefined ? undefined : m.state.scopes[scope.parent];
  }
  return undefined;
}

export function resolveRef(m: Machine, scopeId: string, ref: Reference): RefValue {
  const found = findInScopes(m, scopeId, ref.root);
  if (found) return 'var' in found ? readStored(found.var, ref.path) : readEntry(found.entry, ref.path);
  const { inputs, clock, runId, effectRoot = runId, query } = m.state.run;
  if (Object.hasOwn(inputs, ref.root)) return valueRef(walkPath(inputs[ref.root] ?? null, ref.path));
  if (ref.root === 'query' && query !== undefined) return valueRef(walkPath(query, ref.path));
  if (m.index.steps.has(ref.root)) return UNDEFINED;
  // A request that is sent again under its key reads the same values as before.
  const builtin = resolveBuiltin(ref.root, clock, effectRoot);
  return builtin === undefined ? UNDEFINED : valueRef(walkPath(builtin, ref.path));
}

/** Look-up for inline evaluation. `loaded` holds what was fetched from behind handles before. */
export function inlineLookup(m: Machine, scopeId: string, loaded: { [ref: string]: Json } | undefined): Lookup {
  return (ref) => {
    if (loaded && Object.hasOwn(loaded, ref.text)) return loaded[ref.text];
    const value = resolveRef(m, scopeId, ref);
    return value.kind === 'value' ? value.value : undefined;
  };
}

const MAX_NAMED = 3;

/** Names references without a value for people: ` ({a.b} is not there)`, ` ({c} is null)`; empty if all have one. */
export function withoutValue(m: Machine, scopeId: string, refs: readonly Reference[]): string {
  return inBrackets(noValues(m, scopeId, refs));
}

export function noValues(m: Machine, scopeId: string, refs: readonly Reference[]): string[] {
  return refs.flatMap((ref) => {
    const value = resolveRef(m, scopeId, ref);
    if (value.kind === 'undefined') return [`{${ref.text}} is not there`];
    return value.kind === 'value' && value.value === null ? [`{${ref.text}} is null`] : [];
  });
}

/** The first of them; nothing where there is none. */
export function inBrackets(found: readonly string[]): string {
  return found.length === 0 ? '' : ` (${found.slice(0, MAX_NAMED).join(', ')})`;
}

export interface RefTable {
  [ref: string]: RefValue;
}

export function refTable(m: Machine, scopeId: string, refs: readonly Reference[]): RefTable {
  const table: RefTable = {};
  for (const ref of refs) table[ref.text] = resolveRef(m, scopeId, ref);
  return table;
}

/** The references of a table that lie behind handles and were not loaded yet; undefined = none. */
export function deferredRefs(table: RefTable, loaded: { [ref: string]: Json } | undefined): RefTable | undefined {
  const missing = Object.entries(table).filter(
    ([text, value]) => value.kind === 'stored' && !(loaded && Object.hasOwn(loaded, text)),
  );
  return missing.length === 0 ? undefined : Object.fromEntries(missing);
}

export function fieldOf(value: Json, name: string): Json | undefined {
  return isJsonObject(value) ? ownField(value, name) : undefined;
}
