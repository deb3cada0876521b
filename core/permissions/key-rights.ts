import { covers } from './scopes';

/** Limits of an API key itself. */
export interface KeyLimits {
  /** Null: all that its owner has. */
  scopes: readonly string[] | null;
  read_only: boolean;
  may_decide: boolean;
  /** Null: every object of its owner's. */
  objects: readonly string[] | null;
}

/** The scopes of a call: those of the key that its owner still has. */
export function effectiveScopes(key: Pick<KeyLimits, 'scopes'>, ownerScopes: readonly string[]): string[] {
  if (key.scopes === null) return [...ownerScopes];
  return key.scopes.filter((scope) => covers(ownerScopes, scope));
}

/** Scopes that a new key may not have, since its maker has them not. */
export function excessScopes(wanted: readonly string[], ownerScopes: readonly string[]): string[] {
  return wanted.filter((scope) => !covers(ownerScopes, scope));
}

/** A key with a list may make a call when all objects that the call names are on the list. A call that names none is about everything. */
export function reachesObjects(key: Pick<KeyLimits, 'objects'>, named: readonly string[]): boolean {
  if (key.objects === null) return true;
  return named.length > 0 && named.every((id) => key.objects?.includes(id));
}
