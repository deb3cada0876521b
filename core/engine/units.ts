import { END_ACTION } from '../transform/end-run';
import type { JsonObject } from '../base/json';
import { collectConditionReferences, parseCondition } from '../expr/condition';
import { collectReferences } from '../expr/template';
import type { LlmStep, ToolStep } from '../playbook/types';
import type { RunCommand, UnitCall } from './commands';
import { judgeCondition } from './load';
import { frameOf, openCommand, stepOf, type Machine } from './machine';
import { reportFacts } from './report-facts';
import { refTable } from './scope';
import type { Frame, StepNode } from './state';

/** Replay-sensitive. Calls of steps that an activity carries out, alone or as a segment. */

/** A field of a result above this many bytes stays outside the workflow. */
export const VALUE_LIMIT = 1_048_576;
/** Inside a map the results of many items are held at once. */
export const ITEM_VALUE_LIMIT = 16_384;
export const SEGMENT_LIMIT = 50;
/** Least time of a step after a wait: it may still return what it has. */
const SHORTEST_MS = 1000;

export type CallStep = ToolStep | LlmStep;

export function traitsOf(
  m: Machine,
  action: string,
): { short: boolean; pure: boolean; available: boolean; model: boolean } {
  const { traits } = m.state.run;
  const own = Object.hasOwn(traits, action) ? traits[action] : undefined;
  return own ?? { short: false, pure: false, available: true, model: false };
}

export function newNode(m: Machine, frameId: string, name: string): StepNode {
  const frame = frameOf(m, frameId);
  const path = frame.prefix + name;
  const node: StepNode = { name, path, frame: frameId, tryNo: 1, phase: 'preparing', startedAt: m.now };
  const grant = frame.grants && Object.hasOwn(frame.grants, name) ? frame.grants[name] : undefined;
  if (grant) node.approved = grant;
  m.state.nodes[path] = node;
  return node;
}

/** A call that a step makes of its own, under an effect key of its own. */
export function subNode(m: Machine, node: StepNode, suffix: string): StepNode {
  const path = `${node.path}/~${suffix}${node.tryNo > 1 ? `~t${node.tryNo}` : ''}`;
  const sub: StepNode = {
    name: node.name,
    path,
    frame: node.frame,
    tryNo: 1,
    phase: 'running',
    startedAt: m.now,
    subOf: node.path,
  };
  m.state.nodes[path] = sub;
  return sub;
}

/** Input override of the step that a retry starts from. */
export function inputOverrideOf(m: Machine, node: StepNode): JsonObject {
  const { overrides } = m.state.run;
  return (Object.hasOwn(overrides, node.path) ? overrides[node.path] : undefined) ?? {};
}

/** Run whose id the effect keys of a path begin with: given for the path itself, or for a structure around it. */
function effectRootOf(m: Machine, path: string): string {
  const { runId, effectRoot = runId, effectKeys } = m.state.run;
  if (effectKeys === undefined) return effectRoot;
  for (let at = path; at !== ''; at = at.slice(0, Math.max(at.lastIndexOf('/'), at.lastIndexOf('['), 0)))
    if (Object.hasOwn(effectKeys, at)) return effectKeys[at] ?? effectRoot;
  return effectRoot;
}

/** `before`: the units before it in its segment, whose results the worker has. */
export function buildUnit(m: Machine, node: StepNode, step: CallStep, before: readonly UnitCall[] = []): UnitCall {
  const frame = frameOf(m, node.frame);
  const local = new Set(before.map(({ key }) => key));
  const outer = collectReferences([step.inputs, step.params]).filter((ref) => !local.has(ref.root));
  const unit: UnitCall = {
    path: node.path,
    name: node.name,
    key: step.key,
    effectKey: `${effectRootOf(m, node.path)}/${node.path}`,
    tryNo: node.tryNo,
    action: step.action,
    inputs: step.inputs,
    params: step.params,
    refs: refTable(m, frame.scope, outer),
    timeoutMs: Math.max(step.timeout_seconds * 1000 - (node.waited?.spentMs ?? 0), SHORTEST_MS),
    // Items of maps alone have a scope of their own.
    valueLimit: frame.scope === '' ? VALUE_LIMIT : ITEM_VALUE_LIMIT,
  };
  if (node.waited) {
    unit.waitedMs = node.waited.ms;
    if (node.waited.resume) unit.resume = node.waited.resume;
  }
  if (step.action === 'route_output') unit.facts = reportFacts(m, node, step, before);
  if (step.kind === 'llm_task') unit.output_schema = step.output_schema;
  const overrides = inputOverrideOf(m, node);
  if (Object.keys(overrides).length > 0) unit.overrides = overrides;
  const edits: JsonObject = { ...overrides, ...node.approved?.edits };
  if (Object.keys(edits).length > 0) unit.edits = edits;
  if (node.approved?.keyEnd !== undefined) unit.leavesAs = `${unit.effectKey}~${node.approved.keyEnd}`;
  if (node.approved?.approvalId !== undefined) {
    unit.approvalId = node.approved.approvalId;
    unit.gate = node.approved.gate;
    // Absent in plans that are older than this note.
    const behind = node.approved.behind ?? m.index.gates.get(node.approved.gate)?.effects_behind;
    if (behind !== undefined) unit.effects_behind = behind;
  }
  return unit;
}

export function isQuarantined(m: Machine, path: string): boolean {
  return Object.hasOwn(m.state.quarantined, path);
}

function queueOf(m: Machine, unit: UnitCall, wanted: 'llm' | undefined): RunCommand['queue'] {
  if (isQuarantined(m, unit.path)) return 'quarantine';
  return wanted ?? (traitsOf(m, unit.action).model ? 'llm' : 'main');
}

/** Sends units to an activity. All their nodes must exist. */
export function sendUnits(m: Machine, units: UnitCall[], wanted?: 'llm'): void {
  const first = units[0];
  if (!first) return;
  const alone = units.length === 1;
  const id = openCommand(m, { kind: 'run', paths: units.map((unit) => unit.path), resumes: m.state.resumes });
  m.commands.push({
    kind: 'run',
    id,
    activity: alone ? first.action : 'segment',
    summary: alone
      ? first.path
      : units
          .map((unit) => unit.path)
          .join(', ')
          .slice(0, 200),
    queue: queueOf(m, first, wanted),
    units,
  });
}

/**
 * The chain of short steps of a sequence that begins with `node`, which is begun already.
 * It ends at a step that is not short, at a condition on a result of the chain, and at a condition that is false.
 * Pure steps travel inside the chain, never at its end: there they cost nothing inline.
 */
export function collectSegment(m: Machine, node: StepNode, limit: number): UnitCall[] {
  const frame = frameOf(m, node.frame);
  const first = stepOf(m, node.name) as CallStep;
  const units = [buildUnit(m, node, first)];
  node.phase = 'running';
  if (
    frame.mode !== 'sequence' ||
    !traitsOf(m, first.action).short ||
    node.tryNo > 1 ||
    node.approved ||
    isQuarantined(m, node.path)
  )
    return units;
  const local = new Set([first.key]);
  const followers = frame.steps.slice(frame.steps.indexOf(node.name) + 1);
  let kept = 1;
  for (const name of followers) {
    const step = stepOf(m, name);
    if (
      units.length >= limit ||
      step.kind !== 'tool' ||
      isQuarantined(m, frame.prefix + name) ||
      !joins(m, frame, step, local)
    )
      break;
    const follower = newNode(m, node.frame, name);
    follower.phase = 'running';
    frame.begun[name] = 'open';
    units.push(buildUnit(m, follower, step, units));
    local.add(step.key);
    if (!traitsOf(m, step.action).pure) kept = units.length;
  }
  for (const unit of units.splice(kept)) {
    delete frame.begun[unit.name];
    delete m.state.nodes[unit.path];
  }
  return units;
}

function joins(m: Machine, frame: Frame, step: ToolStep, local: ReadonlySet<string>): boolean {
  const traits = traitsOf(m, step.action);
  // Ends run alone: no later step may begin with them.
  if (!traits.available || !(traits.short || traits.pure) || step.action === END_ACTION) return false;
  return step.condition === undefined || conditionHolds(m, frame, step.condition, local);
}

/**
 * True for a condition that can be decided now, from results outside of the segment: a step with another one does not
 * join.
 */
function conditionHolds(m: Machine, frame: Frame, condition: string, local: ReadonlySet<string>): boolean {
  const parsed = parseCondition(condition);
  if (!parsed.ok || collectConditionReferences(parsed.value).some((ref) => local.has(ref.root))) return false;
  return judgeCondition(m, frame.scope, condition) === true;
}
