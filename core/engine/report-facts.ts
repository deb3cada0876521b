import type { JsonObject } from '../base/json';
import { shortfallText } from '../report/shortfall-text';
import { collectReferences } from '../expr/template';
import { readsOf } from '../playbook/reads';
import type { ReportFacts, UnitCall } from './commands';
import { frameOf, stepOf, type Machine } from './machine';
import { distinct, shortfallsOf } from './shortfalls';
import type { StepNode } from './state';

/** Replay-sensitive. Facts of a report that a step writes: like those at the end of the run, but as of now. */
export function reportFacts(
  m: Machine,
  node: StepNode,
  step: { inputs: JsonObject },
  before: readonly UnitCall[],
): ReportFacts {
  const read = collectReferences(step.inputs);
  const { units, reads } = restingOn(
    m,
    before,
    read.map(({ root }) => root),
  );
  const local = new Set(before.map(({ key }) => key));
  const outer = [...read, ...reads].filter(({ root }) => !local.has(root));
  const lacks = shortfallsOf(m, frameOf(m, node.frame).scope, outer);
  return {
    status: `running, at step ${node.path}`,
    // Gaps of later steps are left out.
    decisions: [...(m.state.decisions ?? [])],
    missing: distinct([...lacks.filter(({ kind }) => kind !== 'skipped'), ...(m.state.shortfalls ?? [])]).map(
      shortfallText,
    ),
    lacks: lacks.map(shortfallText),
    rests: units.map(({ path }) => path),
  };
}

/** Units of the segment on whose results these roots rest, through whatever units the data take, and what those units read. */
function restingOn(
  m: Machine,
  before: readonly UnitCall[],
  roots: readonly string[],
): { units: UnitCall[]; reads: ReturnType<typeof readsOf>[number][] } {
  const wanted = new Set(roots);
  const units = before.toReversed().filter((unit) => {
    if (!wanted.has(unit.key)) return false;
    for (const { root } of readsOf(stepOf(m, unit.name))) wanted.add(root);
    return true;
  });
  return { units, reads: units.flatMap((unit) => readsOf(stepOf(m, unit.name))) };
}
