import { partsOf } from '../playbook/step-path';
import type { PlanIndex } from './machine';

/** Replay-sensitive. The order in which a plan names its steps, for what is told of them: they end in any order. */

/** Elements and turns by their numbers; what no plan knows, such as a step of the caller, stands first, and the results last. */
function comparePaths({ order }: PlanIndex, a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  const placeOf = (name: string): number => order.get(name) ?? (name.startsWith('$') ? order.size : -1);
  for (const [depth, part] of left.entries()) {
    const other = right[depth];
    if (other === undefined) return 1;
    const differs = placeOf(part.name) - placeOf(other.name) || (part.at ?? -1) - (other.at ?? -1);
    if (differs !== 0) return differs;
  }
  return left.length - right.length;
}

/** Puts one more in its place: behind those of the same path. */
export function putInOrder<T extends { step: string }>(index: PlanIndex, known: readonly T[], added: T): T[] {
  const before = known.findLastIndex(({ step }) => comparePaths(index, step, added.step) <= 0);
  return known.toSpliced(before + 1, 0, added);
}
