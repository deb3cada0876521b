import type { Json } from '../base/json';
import { shorten } from '../base/shorten';
import type { StepError } from '../errors/app-error';
import type { Reference } from '../expr/types';
import { fieldsReadByStep, readsOf } from '../playbook/reads';
import type { StepPlan } from '../playbook/types';
import { isHandled, isInnerGap, wasHandled, type Gap, type Shortfall } from './gaps';
import { frameOf, type Machine } from './machine';
import { putInOrder } from './plan-order';
import { noteReason } from './reasons';
import type { Scope, ScopeEntry, StepNode } from './state';

/** Replay-sensitive. Missing data of a run, and the steps that depend on it: state only, never a command. */
/** Limit of a run, for its report. */
const MAX_OF_RUN = 100;
/** Limit of one result. */
const MAX_OF_RESULT = 20;
const MAX_MESSAGE = 300;

export function failureOf(node: StepNode, error: StepError): Shortfall {
  return shortfall(node, 'failed', error);
}

const MAX_CONDITION = 200;

/** `hindrance`: which values that the condition counts on are not there, or cannot be used. */
export function skipOf(
  node: StepNode,
  step: StepPlan,
  reason: 'condition' | 'not_available',
  hindrance: string,
): Shortfall {
  return reason === 'condition'
    ? shortfall(node, 'skipped', {
        code: 'condition_false',
        message: `its condition is false: ${shorten(step.condition ?? '', MAX_CONDITION)}${hindrance}`,
      })
    : shortfall(node, 'skipped', { code: 'not_available', message: 'its action is not available yet' });
}

export function gapOf(node: StepNode, gap: Gap): Shortfall {
  return shortfall(node, 'incomplete', gap);
}

function shortfall(
  node: StepNode,
  kind: Shortfall['kind'],
  { code, message }: { code: string; message: string },
): Shortfall {
  return { step: node.path, kind, code, message: message.slice(0, MAX_MESSAGE) };
}

/** Notes the gaps of a step's result: those of the results that it read, then its own. */
export function noteShortfalls(m: Machine, node: StepNode, own: readonly Shortfall[]): Shortfall[] | undefined {
  const { state } = m;
  if (own.length > 0) {
    // A step that its condition skips is no fault of the run: it matters to readers of its result alone.
    const ofRun = own.filter(({ code }) => code !== 'condition_false');
    state.shortfalls = inPlanOrder(m, state.shortfalls ?? [], ofRun).slice(0, MAX_OF_RUN);
  }
  // Skips the search if the run lacks nothing, the usual case.
  if (!mayLack(m)) return undefined;
  const inherited = shortfallsOf(m, frameOf(m, node.frame).scope, readsOf(m.index.steps.get(node.name) as StepPlan));
  const all = distinct([...inherited, ...(node.each?.lacks ?? []), ...own]);
  return all.length === 0 ? undefined : all;
}

/** `known` are in order. */
export function inPlanOrder(m: Machine, known: readonly Shortfall[], added: readonly Shortfall[]): Shortfall[] {
  return added.reduce<Shortfall[]>((all, each) => putInOrder(m.index, all, each), [...known]);
}

/** Gaps of the results that these references read at a place of the run, roots first. */
export function shortfallsOf(m: Machine, scopeId: string, refs: readonly Reference[]): Shortfall[] {
  return shortfallsOfRoots(
    m,
    scopeId,
    refs.map(({ root }) => root),
  );
}

export function shortfallsOfRoots(m: Machine, scopeId: string, roots: readonly string[]): Shortfall[] {
  if (!mayLack(m)) return [];
  return distinct(roots.flatMap((root) => lacksAt(m, scopeId, root)));
}

function mayLack({ state }: Machine): boolean {
  return state.shortfalls !== undefined || state.run.lacks !== undefined;
}

function lacksAt(m: Machine, scopeId: string, name: string): Shortfall[] {
  let scope: Scope | undefined = m.state.scopes[scopeId];
  while (scope) {
    if (Object.hasOwn(scope.vars, name)) return scope.lacks ?? [];
    const entry: ScopeEntry | undefined = Object.hasOwn(scope.entries, name) ? scope.entries[name] : undefined;
    if (entry) return entry.lacks ?? [];
    scope = scope.parent === undefined ? undefined : m.state.scopes[scope.parent];
  }
  const { lacks = {} } = m.state.run;
  return (Object.hasOwn(lacks, name) ? lacks[name] : undefined) ?? [];
}

export function distinct(shortfalls: readonly Shortfall[]): Shortfall[] {
  const found = new Map<string, Shortfall>();
  for (const each of shortfalls) {
    const id = `${each.step}\n${each.code}`;
    if (!found.has(id) && found.size < MAX_OF_RESULT) found.set(id, each);
  }
  return [...found.values()];
}

/** An incomplete result makes the run partial, unless its playbook asks for what is missing of it. */
export function countGaps(m: Machine, node: StepNode, step: StepPlan, gaps: readonly Gap[]): void {
  const counted = gaps.some(({ certain }) => certain) ? countedGaps(m, step, gaps) : [];
  if (counted.length === 0 || !(m.state.partial || m.newer('incomplete-results'))) return;
  m.state.partial = true;
  for (const gap of counted) noteReason(m, node, gapOf(node, gap));
}

/** Gaps inside a step have made the run partial before, whichever fields of the outer step are read. */
function countedGaps(m: Machine, step: StepPlan, gaps: readonly Gap[]): Gap[] {
  const certain = gaps.filter((gap) => gap.certain && isCounted(m, gap));
  const asked = fieldsReadByStep(m.index.plan).get(step.key);
  if (asked === undefined) return certain;
  const now = certain.filter((gap) => isInnerGap(gap) || !isHandled(gap, asked));
  // Applies the older rule: a playbook that read one field that reports a gap handled all gaps.
  const before = wasHandled(asked) ? certain.filter(isInnerGap) : certain;
  const differ = now.length === 0 ? before.length > 0 : before.length === 0;
  return differ && !m.state.partial && !m.newer('gaps-by-field') ? before : now;
}

/** A link back into a scraped list was reported and not counted. */
function isCounted(m: Machine, { code }: Gap): boolean {
  return code !== 'stopped_early' || m.state.partial || m.newer('stopped-early');
}

/** Shortfalls as data, for requests, events and reports. */
export function shortfallsJson(shortfalls: readonly Shortfall[]): Json[] {
  return shortfalls.map((each) => ({ ...each }));
}
