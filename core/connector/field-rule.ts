import type { FieldRule } from './mapping-types';

/** Path of a field; empty when the rule is a constant. */
export function pathOf(rule: string | FieldRule): string {
  return typeof rule === 'string' ? rule : (rule.path ?? '');
}
