import type { Reference } from '../expr/types';
import { parseSite } from './parsed-site';
import { outputSites, stepSites } from './sites';
import type { OutputPlan, Plan, StepPlan } from './types';
import { allSteps } from './walk';

const readsKnown = new WeakMap<StepPlan, readonly Reference[]>();

/** Replay-sensitive. What a step itself reads while it runs; its inner steps read for themselves. Kept: a plan never changes. */
export function readsOf(step: StepPlan): readonly Reference[] {
  const reads = readsKnown.get(step) ?? findReads(step);
  readsKnown.set(step, reads);
  return reads;
}

function findReads(step: StepPlan): Reference[] {
  return stepSites(step)
    .filter((site) => site.path[0] !== 'undo')
    .flatMap((site) => parseSite(site).references);
}

/** What the output reads at the end. */
export function readsOfOutput(output: OutputPlan): Reference[] {
  const sections = output.sections.map((section) => ({ section, path: [] }));
  const destinations = output.destinations.map((destination) => ({ destination, path: [] }));
  return outputSites(output, sections, destinations).flatMap((site) => parseSite(site).references);
}

/** Fields of a result that report gaps: a playbook that reads one handles the gaps itself. */
const OF_GAPS = [
  'errors',
  'error_count',
  'warnings',
  'missing',
  'truncated',
  'stopped_by',
  'failed_count',
  'routing_report',
];
/** Fields of a step that report its failure: a playbook that reads one handles the failure itself. */
const OF_FAILURES = ['status', 'error'];

/** Keys of results whose failure, or whose gaps, the playbook handles itself. */
export const keysAsked = {
  forFailure: asked(OF_FAILURES),
  forGaps: asked(OF_GAPS),
};

/** A plan never changes, so what was found of it is kept. */
function asked(fields: readonly string[]): (plan: Plan) => ReadonlySet<string> {
  const known = new WeakMap<Plan, ReadonlySet<string>>();
  return (plan) => {
    const keys = known.get(plan) ?? keysWith(plan, fields);
    known.set(plan, keys);
    return keys;
  };
}

function keysWith(plan: Plan, fields: readonly string[]): Set<string> {
  const reads = [
    ...allSteps(plan.steps).flatMap(readsOf),
    ...(plan.output === undefined ? [] : readsOfOutput(plan.output)),
  ];
  const asking = reads.filter(({ path }) => {
    const names = path.flatMap((part) => (part.kind === 'field' ? [part.name] : []));
    const first = names[0] === 'result' ? names[1] : names[0];
    return first !== undefined && fields.includes(first);
  });
  return new Set(asking.map(({ root }) => root));
}
