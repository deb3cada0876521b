import type { Fields } from './fields';
import type { Hooks } from './types';
import { HOOKS } from './types';

export const HOOKS_AFTER = ['audit'] as const;

/** Absent = all hooks; an empty `hooks` = none. */
export function readHooks(fields: Fields): Hooks | undefined {
  const hooks = fields.child('hooks');
  if (hooks === undefined) {
    return undefined;
  }
  const read = {
    before: readList(hooks, 'before', HOOKS),
    after: readList(hooks, 'after', HOOKS_AFTER),
  };
  hooks.done();
  return read;
}

function readList<T extends string>(hooks: Fields, name: string, options: readonly T[]): T[] {
  return hooks.choices(name, options) ?? [];
}
