import type { Json } from '../base/json';
import { AppError } from '../errors/app-error';
import { collectNeededReferences, evaluateCondition, parseCondition } from '../expr/condition';
import { describeValue } from '../playbook/input-value';
import type { Machine } from './machine';
import { inlineLookup, noValues, inBrackets } from './scope';

/**
 * Replay-sensitive, text only: reasons why a condition may be false. Names missing values and values that it cannot
 * use: ` ({n} is not there)`, ` (the text "9" and the number 5 do not fit)`. Empty if it is simply false. Leaves out
 * values behind handles: an activity has judged them.
 */
export function hindranceOf(m: Machine, scope: string, condition: string): string {
  const parsed = parseCondition(condition);
  if (!parsed.ok) return '';
  const found = noValues(m, scope, collectNeededReferences(parsed.value));
  // The newest rule is used, so that no entry of the history is needed.
  const told = (values: readonly (Json | undefined)[]): void => {
    const named = values.map((value) => describeValue(value ?? null)).join(' and ');
    found.push(`${named} ${values.length === 1 ? 'cannot be used' : 'do not fit'}`);
  };
  try {
    evaluateCondition(parsed.value, inlineLookup(m, scope, undefined), undefined, told);
  } catch (error) {
    // Too much for the meter: what was found before that is told.
    if (!(error instanceof AppError)) throw error;
  }
  return inBrackets(found);
}
