import { INNER_PREFIX, innerMessage, shortfallText } from '../report/shortfall-text';
import type { Gap, Shortfall } from './gaps';
import { frameOf, nodeAt, stepOf, type Machine } from './machine';
import { putInOrder } from './plan-order';
import type { Reasons, StepNode } from './state';

/**
 * Replay-sensitive. Why a run is partial, for people: a step says it of what lies inside it, the run of its own steps. Text
 * alone, never a command.
 */
const MAX_LINES = 5;

/** Notes on the structures around a step why it made the run partial. */
export function noteReason(m: Machine, node: StepNode, reason: Shortfall): void {
  const { owner } = frameOf(m, node.frame);
  if (owner === '') return noteOfRun(m, reason);
  const around = nodeAt(m, owner);
  // A list counts its items that failed itself.
  if (!around || (reason.kind === 'failed' && stepOf(m, around.name).kind === 'for_each')) return;
  around.reasons = adding(m, around.reasons, reason);
}

export function noteOfRun(m: Machine, reason: Shortfall): void {
  m.state.reasons = adding(m, m.state.reasons, reason);
}

/** The first ones of the plan, whichever ended first. */
function adding(m: Machine, known: Reasons | undefined, reason: Shortfall): Reasons {
  const { lines, paths = [], more, failed } = known ?? { lines: [], more: 0 };
  const isFailure = failed === true || reason.kind === 'failed' || FAILED.includes(reason.code);
  const told = lines.map((line, no) => ({ line, step: paths[no] ?? '' }));
  const all = putInOrder(m.index, told, { line: lineOf(reason), step: reason.step });
  const first = all.slice(0, MAX_LINES);
  const next: Reasons = {
    lines: first.map(({ line }) => line),
    paths: first.map(({ step }) => step),
    more: more + all.length - first.length,
  };
  return isFailure ? { ...next, failed: true } : next;
}

const FAILED = ['items_failed', 'steps_failed'];

/** Paths are whole: what lies in two structures is not named by both. */
function lineOf(reason: Shortfall): string {
  const { code, message } = reason;
  const isInside = code === 'steps_failed' || code === 'steps_incomplete';
  return (isInside ? innerMessage(message) : undefined) ?? shortfallText(reason);
}

/** The gap of a step in which something made the run partial. */
export function insideGaps({ reasons }: StepNode): Gap[] {
  if (reasons === undefined) return [];
  const code = reasons.failed ? 'steps_failed' : 'steps_incomplete';
  return [{ code, message: `${INNER_PREFIX}${reasonsText(reasons)}`, certain: true }];
}

export function reasonsText({ lines, more }: Reasons): string {
  return `${lines.join('; ')}${more === 0 ? '' : `; and ${more} more`}`;
}
