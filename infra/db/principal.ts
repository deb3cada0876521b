import { isUuid } from '../../core/base/uuid';
/** Under whose rights SQL runs. Rows of others are invisible to `owner`; `system` is the platform's own work. */
export type Principal = { kind: 'owner'; ownerId: string } | { kind: 'system' };

export const SYSTEM: Principal = { kind: 'system' };
export function owner(ownerId: string): Principal {
  return { kind: 'owner', ownerId };
}

const KEPT = { plan_cache_mode: 'force_generic_plan' };
/** Plans that need a sort look expensive then, and must not be compiled for that. */
const IN_ORDER = { enable_sort: 'off', jit: 'off' };

/**
 * Planning of the statements of `Database.read`. `view`: once a connection, for whatever values come. `list`: so too,
 * and in the order of an index instead of a sort: columns that go together (team and profile) make the planner expect a
 * handful of rows. `fresh_list`: for these values, which say which index is right.
 */
const READINGS = { view: KEPT, list: { ...KEPT, ...IN_ORDER }, fresh_list: IN_ORDER };
export type ReadMode = keyof typeof READINGS;

/**
 * Opens a transaction as this principal, in one round trip. All settings end with the transaction. All statements of a reading see
 * the same moment: parts of a view fit together.
 */
export function beginStatement(who: Principal, reading?: ReadMode): string {
  if (who.kind === 'owner' && !isUuid(who.ownerId)) {
    throw new TypeError('A principal is named by a UUID.');
  }
  const settings = {
    role: who.kind === 'system' ? 'af_system' : 'af_app',
    'app.user_id': who.kind === 'system' ? '' : who.ownerId,
    ...(reading === undefined ? {} : READINGS[reading]),
  };
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  const begin = reading === undefined ? 'BEGIN' : 'BEGIN ISOLATION LEVEL REPEATABLE READ';
  return `${begin}; SELECT ${calls.join(', ')}`;
}
