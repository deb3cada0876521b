import { collectConditionReferences, evaluateCondition, parseCondition } from '../expr/condition';
import { AppError, toStepError, type StepError } from '../errors/app-error';
import type { LoadCommand } from './commands';
import { exactNumbersOf, openCommand, type Machine } from './machine';
import { deferredRefs, inlineLookup, refTable, type RefTable } from './scope';
import type { LoadPurpose, StepNode } from './state';

/** Replay-sensitive. What lies behind handles comes in through an activity; what is too large to come in is judged there. */

export type LoadFirst = (m: Machine, node: StepNode, table: RefTable) => boolean;

/** Asks for references that lie behind handles. True = an answer is on its way. */
export function loadFirst(m: Machine, node: StepNode, table: RefTable): boolean {
  const missing = deferredRefs(table, node.loaded);
  if (!missing) return false;
  sendLoad(m, { path: node.path, purpose: 'step' }, { refs: missing });
  return true;
}

export function sendLoad(
  m: Machine,
  of: { path: string; purpose: LoadPurpose },
  what: Pick<LoadCommand, 'refs' | 'condition' | 'preview'>,
): void {
  const id = openCommand(m, { kind: 'load', ...of, refs: Object.keys(what.refs) });
  m.commands.push({ kind: 'load', id, summary: `${of.purpose} ${of.path}`, ...what });
}

export type Verdict = boolean | { ask: RefTable } | { fault: StepError };

/**
 * Evaluates a condition at a place of the run. `ask` = some references lie behind handles: an activity evaluates it, by
 * the same code, since a value of any size may decide. `fault` = it cannot be judged, and is not guessed.
 */
export function judgeCondition(m: Machine, scope: string, condition: string): Verdict {
  const parsed = parseCondition(condition);
  if (!parsed.ok) return false;
  const refs = collectConditionReferences(parsed.value);
  const table = refTable(m, scope, refs);
  if (deferredRefs(table, undefined)) return { ask: table };
  try {
    return evaluateCondition(parsed.value, inlineLookup(m, scope, undefined), exactNumbersOf(m));
  } catch (error) {
    if (error instanceof AppError) return { fault: toStepError(error) };
    throw error;
  }
}

/** References that an answer left out are not defined; they must not be asked for again. */
export function withUndefinedRefs(refs: string[], values: RefValues): RefValues {
  const complete: RefValues = { ...values };
  for (const ref of refs) if (!Object.hasOwn(complete, ref)) complete[ref] = null;
  return complete;
}

type RefValues = NonNullable<StepNode['loaded']>;
