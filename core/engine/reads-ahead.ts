import { canonicalJson } from '../base/canonical-json';
import type { Json } from '../base/json';
import { sha256 } from '../base/sha256';
import { formatReference } from '../expr/reference';
import { collectReferences } from '../expr/template';
import type { PathSegment, Reference } from '../expr/types';
import { downstreamOf, type Downstream } from '../playbook/gate-effects';
import { readsOf, readsOfDestinations } from '../playbook/reads';
import { indexOf, type StepPosition } from '../playbook/step-index';
import type { ApprovalStep, StepPlan, SubPlaybookStep } from '../playbook/types';
import { allSteps } from '../playbook/walk';
import { frameOf, type Machine } from './machine';
import { refTable, type RefTable } from './scope';
import type { CallerReads, StepNode } from './state';

/**
 * Replay-sensitive. Values of before a gate, or a call, that the steps behind it read: in a retry they may be others than in the run
 * that is retried, though the request shows the same call.
 */

/**
 * Values that the digest of a request covers; in a sub-playbook also those that its callers read, of it and of their
 * own.
 */
export function readsOfGate(m: Machine, node: StepNode, step: ApprovalStep, behind: Downstream): string | undefined {
  const values = valuesOf(m, node, ownReads(m, step, behind));
  const { callerReads: caller } = m.state.run;
  if (caller === undefined || !m.newer('caller-reads')) return values && digestOf(values);
  return digestOf({ values, above: caller.digest, given: valuesOf(m, node, readsOfResults(m, step, behind)) });
}

/** Values of the caller for a sub-playbook; undefined: no step that its gates permit reads any. */
export function readsOfCall(m: Machine, node: StepNode, step: SubPlaybookStep): CallerReads | undefined {
  const { effectRoot, callerReads: caller } = m.state.run;
  if (effectRoot === undefined) return undefined;
  const behind = downstreamOf(indexOf(m.index.plan), step);
  const values = valuesOf(m, node, ownReads(m, step, behind));
  const given = caller && valuesOf(m, node, readsOfResults(m, step, behind));
  const results = resultsRead(m, step, behind);
  const isNone = values === undefined && caller === undefined && results.length === 0;
  if (isNone || !m.newer('caller-reads')) return undefined;
  return { digest: digestOf({ values, above: caller?.digest, given }), results };
}

/** References to values from before the gate that later steps of this playbook read. */
function ownReads(m: Machine, { reads_behind }: ApprovalStep | SubPlaybookStep, behind: Downstream): Reference[] {
  const roots = new Set(reads_behind);
  return readsDownstream(m, behind).filter(({ root }) => roots.has(root));
}

function readsDownstream(m: Machine, behind: Downstream): Reference[] {
  return [...[...behind.keys()].flatMap(readsOf), ...readsOfDestinations(m.index.plan)];
}

/**
 * References to values from before the gate that the callers read of this run's results, directly or through steps
 * after the gate.
 */
function readsOfResults(m: Machine, gate: StepPlan, behind: Downstream): Reference[] {
  const index = indexOf(m.index.plan);
  const direct = downstreamOf(index, gate, { comesAgain: () => false });
  const found: Reference[] = [];
  const seen = new Set<string>();
  const open = (m.state.run.callerReads?.results ?? []).flatMap((path) => readsOfResult(m, path));
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (seen.has(ref.text)) continue;
    seen.add(ref.text);
    const source = index.withKey(ref.root);
    // Leaves out results of other branches of a parallel: no digest can cover them.
    if (source === undefined || (index.runsBefore(source, gate) && !direct.has(source))) found.push(ref);
    if (source !== undefined && behind.has(source))
      open.push(...[...index.chain(source).map(({ step }) => step), ...allSteps([source])].flatMap(readsOf));
  }
  return found;
}

/** References behind the `outputs` and `summary` that a run gives to its calling step. */
function readsOfResult(m: Machine, [first, second, ...path]: readonly PathSegment[]): Reference[] {
  const { plan } = m.index;
  const name = first?.kind === 'field' ? first.name : undefined;
  const summary = collectReferences(plan.output?.summary ?? '');
  if (name === 'summary') return summary;
  if (first !== undefined && name !== 'outputs') return [];
  const keys = second?.kind === 'field' ? [second.name] : keysOfResult(m);
  const outputs = keys.map((root) => ({ root, path, text: formatReference({ root, path }), offset: 0 }));
  return first === undefined ? [...outputs, ...summary] : outputs;
}

function keysOfResult(m: Machine): string[] {
  const index = indexOf(m.index.plan);
  const isInner = ({ owner }: StepPosition): boolean => owner?.kind === 'for_each';
  return [...index.positions.keys()].filter((step) => !index.chain(step).some(isInner)).map(({ key }) => key);
}

/** Paths into the result of a call that the steps behind it read, or a caller further up. */
function resultsRead(m: Machine, { key }: SubPlaybookStep, behind: Downstream): PathSegment[][] {
  const above = (m.state.run.callerReads?.results ?? []).flatMap((path) => readsOfResult(m, path));
  const found = new Map<string, PathSegment[]>();
  for (const { root, path, text } of [...readsDownstream(m, behind), ...above]) {
    const [first] = path;
    const isNamed = first?.kind === 'field' && first.name === 'result';
    if (root === key) found.set(text, isNamed ? path.slice(1) : path);
  }
  return [...found.values()];
}

function valuesOf(m: Machine, { frame }: StepNode, refs: readonly Reference[]): RefTable | undefined {
  if (m.state.run.effectRoot === undefined && m.state.run.callerReads === undefined) return undefined;
  return refs.length === 0 ? undefined : refTable(m, frameOf(m, frame).scope, refs);
}

function digestOf(values: object): string {
  return sha256(canonicalJson(JSON.parse(JSON.stringify(values)) as Json));
}
