import { canonicalJson } from '../base/canonical-json';
import type { JsonObject } from '../base/json';
import { sha256 } from '../base/sha256';
import { downstreamOf, type Downstream } from '../playbook/gate-effects';
import { nameOf } from '../playbook/step-path';
import { indexOf } from '../playbook/step-index';
import type { ApprovalStep, EditedStep, EffectsBehind, StepPlan, SubPlaybookStep } from '../playbook/types';
import type { Machine } from './machine';
import { readsOfGate } from './reads-ahead';
import { shownInputs } from './shown-inputs';
import type { StepNode } from './state';
import { inputOverrideOf } from './units';

/** Replay-sensitive. Inputs behind a gate, or a call, that are not those of the playbook; only a retry has some. */

/** Steps that a request shows; the others are counted, and its digest covers them. */
const MOST = 20;
/** Before the path of a step that is none of the sub-playbook's own. */
const OF_CALLER = '(caller) ';

export function ofCaller(path: string): string {
  return path.startsWith(OF_CALLER) ? path : `${OF_CALLER}${path}`;
}

/** What the request of a gate says of its retry, and its digest covers: edited inputs, and values that what it permits reads. */
export function editsAhead(
  m: Machine,
  node: StepNode,
  step: ApprovalStep,
  behind: Downstream,
): Pick<EffectsBehind, 'edited' | 'reads'> {
  const { run } = m.state;
  const edited = shownSteps([...(run.edited ?? []), ...editsDownstream(m, step, behind)]);
  const reads = readsOfGate(m, node, step, behind);
  if ((edited.length === 0 && reads === undefined) || !m.newer('shown-edits')) return {};
  return { ...(edited.length === 0 ? {} : { edited }), ...(reads === undefined ? {} : { reads }) };
}

/** What the gates of a sub-playbook show of its caller: edited inputs of the call itself, and of steps behind it. */
export function editsOfCall(m: Machine, node: StepNode, step: SubPlaybookStep): EditedStep[] {
  const inputs = inputOverrideOf(m, node);
  const own = Object.keys(inputs).length === 0 ? [] : [editedStep(node.path, inputs)];
  const { overrides, presets } = m.state.run;
  const none = Object.keys(overrides).length === 0 && Object.keys(presets).length === 0;
  const edits = none ? own : [...own, ...editsDownstream(m, step, downstreamOf(indexOf(m.index.plan), step))];
  return [...(m.state.run.edited ?? []), ...edits.map((each) => ({ ...each, step: ofCaller(each.step) }))];
}

/** Of this retry, and of approvers whose answers hold again. */
function editsDownstream(m: Machine, { name: own }: StepPlan, behind: Downstream): EditedStep[] {
  const { overrides, presets } = m.state.run;
  const index = indexOf(m.index.plan);
  const names = new Set([...behind.keys()].map(({ name }) => name));
  // Itself in another turn or element is no other gate.
  const isBehind = (path: string): boolean => nameOf(path) !== own && names.has(nameOf(path));
  const given = Object.entries(overrides).filter(([path]) => isBehind(path));
  const answered = Object.entries(presets).flatMap(([path, { edits }]): [string, JsonObject][] => {
    const gate = edits === undefined ? undefined : index.withName(nameOf(path));
    const place = gate && index.positions.get(gate);
    const next = place?.list.slice(place.index + 1).find(({ kind }) => kind === 'tool' || kind === 'llm_task');
    if (edits === undefined || next === undefined || !isBehind(path)) return [];
    return [[path.slice(0, path.length - nameOf(path).length) + next.name, edits]];
  });
  return [...given, ...answered].map(([path, inputs]) => editedStep(path, inputs));
}

function editedStep(step: string, inputs: JsonObject): EditedStep {
  return { step, inputs: shownInputs(inputs), digest: sha256(canonicalJson(inputs)) };
}

function shownSteps(edited: readonly EditedStep[]): EditedStep[] {
  if (edited.length <= MOST) return [...edited];
  const others = edited.slice(MOST).map(({ step, digest }) => ({ step, digest }));
  return [
    ...edited.slice(0, MOST),
    { step: `${others.length} more steps`, inputs: {}, digest: sha256(canonicalJson(others)) },
  ];
}
