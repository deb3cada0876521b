/** Built-in variables; `N_days_ago` comes on top of them. */
export const BUILTIN_NAMES: readonly string[] = ['today', 'now', 'execution_id', 'last_execution_date'];

/**
 * Names that no input, step or loop variable may take: the built-ins, words that expressions give a meaning,
 * names of the host language, and names under which people expect secrets (they are never values of a reference).
 */
export const RESERVED_ROOTS: ReadonlySet<string> = new Set([
  ...BUILTIN_NAMES,
  'true',
  'false',
  'null',
  '__proto__',
  'constructor',
  'prototype',
  'secret',
  'secrets',
  'env',
  'connection',
]);
