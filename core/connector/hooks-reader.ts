import type { Fields } from './fields';
import type { Hooks } from './types';
import { HOOKS } from './types';

export const HOOKS_AFTER = ['audit'] as const;

/** Absent = all hooks; an empty `hooks` = none but the audit entry, which no author can leave out. */
export function readHooks(fields: Fields): Hooks | undefined {
  const hooks = fields.child('hooks');
  if (hooks === undefined) {
    return undefined;
  }
  const read = {
    before: readList(hooks, 'before', HOOKS),
    after: readList(hooks, 'after', HOOKS_AFTER),
  };
  if (hooks.has('after') && read.after.length === 0) {
    const message = '`after` cannot leave `audit` out: an entry is written after every call.';
    hooks.report.add(hooks.at('after'), 'ignored_field', message, { severity: 'warning', at: 'key' });
  }
  hooks.done();
  return read;
}

function readList<T extends string>(hooks: Fields, name: string, options: readonly T[]): T[] {
  return hooks.choices(name, options) ?? [];
}
