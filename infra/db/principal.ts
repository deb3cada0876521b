/** Under whose rights SQL runs. Rows of others are invisible to `owner`; `system` is the platform's own work. */
export type Principal = { kind: 'owner'; ownerId: string } | { kind: 'system' };

export const SYSTEM: Principal = { kind: 'system' };
export function owner(ownerId: string): Principal {
  return { kind: 'owner', ownerId };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What `Database.read` wants: the order of an index. What cannot do without a sort looks expensive, and is not to be compiled for that. */
const READING = { enable_sort: 'off', jit: 'off' };
const PLANS = { kept: { ...READING, plan_cache_mode: 'force_generic_plan' }, fresh: READING };

/** Opens a transaction as this principal, in one round trip. All settings end with the transaction. */
export function preamble(who: Principal, plans?: keyof typeof PLANS): string {
  if (who.kind === 'owner' && !UUID.test(who.ownerId)) {
    throw new TypeError('A principal is named by a UUID.');
  }
  const settings = {
    role: who.kind === 'system' ? 'af_system' : 'af_app',
    'app.user_id': who.kind === 'system' ? '' : who.ownerId,
    ...(plans === undefined ? {} : PLANS[plans]),
  };
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `BEGIN; SELECT ${calls.join(', ')}`;
}
