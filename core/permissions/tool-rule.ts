import { GLOBAL, GLOBAL_ADMIN, parseScope, reaches, type ScopeRole } from './scopes';

/** What a tool asks of whoever uses it; part of its contract. */
export interface ToolRule {
  required_role: ScopeRole;
  /** The role has to be one in the topic that the call is about. */
  topic_scoped: boolean;
  /** False: scopes of the group `global` do not count, that of an administrator neither. */
  global_admin_override: boolean;
  /** A person decides before it acts. */
  requires_hitl?: boolean;
  /** Only these scopes, literally, in place of the role. */
  allowed_scopes?: readonly string[];
}

/** `topic`: what the call is about. A rule about a topic is not met without one. */
export function mayUse(scopes: readonly string[], rule: ToolRule, topic?: string): boolean {
  if (rule.global_admin_override && scopes.includes(GLOBAL_ADMIN)) return true;
  const counting = scopes
    .map((text) => ({ text, scope: parseScope(text) }))
    .filter(({ scope }) => scope !== undefined && (rule.global_admin_override || scope.group !== GLOBAL));
  if (rule.allowed_scopes !== undefined) return counting.some(({ text }) => rule.allowed_scopes?.includes(text));
  return counting.some(({ scope }) => {
    if (scope === undefined || !reaches(scope, rule.required_role)) return false;
    return !rule.topic_scoped || (topic !== undefined && (scope.group === topic || scope.group === GLOBAL));
  });
}
