import type { Machine } from './machine';
import type { DecisionRecord } from './state';

const MAX_DECISIONS = 100;

/** Replay-sensitive. Keeps decisions of persons, and time-outs, for the reports of the run. */
export function keepDecision(m: Machine, decision: DecisionRecord): void {
  const kept = (m.state.decisions ??= []);
  if (kept.length < MAX_DECISIONS) kept.push(decision);
}
