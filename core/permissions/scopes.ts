/** Levels of roles inside a group; a higher one includes the lower ones. */
const LEVELS = { reader: 1, editor: 2, analyst: 3, admin: 4 } as const;
type ScopeRole = keyof typeof LEVELS;

export interface Scope {
  /** `global`, or a topic. */
  group: string;
  role: ScopeRole;
}

export const GLOBAL_ADMIN = 'global:admin';
const FORM = /^([a-z][a-z0-9_-]{0,62}):(reader|editor|analyst|admin)$/;

/** `group:role`; undefined for anything else. */
export function parseScope(text: string): Scope | undefined {
  const [, group, role] = FORM.exec(text) ?? [];
  return group === undefined || role === undefined ? undefined : { group, role: role as ScopeRole };
}

function reaches(scope: Scope, role: ScopeRole): boolean {
  return LEVELS[scope.role] >= LEVELS[role];
}

/** Routes of the platform ask for one scope literally. */
export function holds(scopes: readonly string[], wanted: string): boolean {
  return scopes.includes(wanted);
}

/** True if one of `scopes` includes `text`. A topic's scope is covered by that topic alone. */
export function covers(scopes: readonly string[], text: string): boolean {
  const wanted = parseScope(text);
  if (wanted === undefined) return false;
  return scopes.some((each) => {
    const scope = parseScope(each);
    return scope !== undefined && scope.group === wanted.group && reaches(scope, wanted.role);
  });
}
