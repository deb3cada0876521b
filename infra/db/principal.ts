/** Under whose rights SQL runs. Rows of others are invisible to `owner`; `system` is the platform's own work. */
export type Principal = { kind: 'owner'; ownerId: string } | { kind: 'system' };

export const SYSTEM: Principal = { kind: 'system' };
export function owner(ownerId: string): Principal {
  return { kind: 'owner', ownerId };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Opens a transaction as this principal, in one round trip. Both settings end with the transaction. */
export function preamble(who: Principal): string {
  if (who.kind === 'system') {
    return `BEGIN; SET LOCAL ROLE af_system; SELECT set_config('app.user_id', '', true)`;
  }
  if (!UUID.test(who.ownerId)) {
    throw new TypeError('A principal is named by a UUID.');
  }
  return `BEGIN; SET LOCAL ROLE af_app; SELECT set_config('app.user_id', '${who.ownerId}', true)`;
}

/** For statements whose plans are kept (`Database.read`). Ends with the transaction as well. */
export const READING = 'SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_sort = off';
