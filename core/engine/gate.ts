import { renderInputs } from '../actions/render-inputs';
import { canonicalJson } from '../base/canonical-json';
import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { sha256 } from '../base/sha256';
import { collectReferences, renderValue } from '../expr/template';
import type { Lookup, Reference } from '../expr/types';
import { readsOf } from '../playbook/reads';
import { leftWith } from '../playbook/retry-marks';
import type { ApprovalStep, StepPlan } from '../playbook/types';
import type { ApprovalRequest, UnitCall } from './commands';
import { aheadOf, type Ahead } from './ahead';
import { asksOthers, noticeTimers, noticeTimes, policyOf } from './gate-rules';
import type { GateEvent } from './inbox';
import { emit, frameOf, openTimer, stepOf, type Machine } from './machine';
import { previewOf } from './preview';
import { inlineLookup, refTable, resolveRef } from './scope';
import { renderText } from './render-text';
import { settleOk } from './settle';
import type { Shortfall } from './gaps';
import { distinct, gapOf, shortfallsJson, shortfallsOf, shortfallsOfRoots } from './shortfalls';
import type { GateAnswer, Grant, Preview, StepNode } from './state';
import { buildUnit, newNode, type CallStep } from './units';
import { keepDecision } from './decision-records';
import { callDigest, keyEnd, requestDigest } from './digest';
import { sendLoad, type LoadFirst } from './load';

/** Replay-sensitive. A gate: its request, its decision, and what follows. */

export function beginGate(m: Machine, node: StepNode, step: ApprovalStep, loadFirst: LoadFirst): string | undefined {
  const { presets } = m.state.run;
  const preset = Object.hasOwn(presets, node.path) ? presets[node.path] : undefined;
  // A retry by a person asks other approvers again; an automatic repeat keeps their decision.
  if (preset && (m.state.run.effectRoot !== undefined || !asksOthers(step.rules)))
    return settleGate(m, node, { ...preset, decided_by: preset.decided_by ?? 'carried over' }, 'retry');
  const scope = frameOf(m, node.frame).scope;
  if (loadFirst(m, node, refTable(m, scope, collectReferences(step.prompt)))) return undefined;
  if (!node.preview && askForPreview(m, node, step)) return undefined;
  node.phase = 'gate';
  const auto = m.state.run.approvalPolicy === 'auto_approve' && !asksOthers(step.rules);
  const ahead = aheadOf(m, node, step, auto ? 'auto_approved' : 'approved');
  const request = describeGate(m, node, step, { auto, ahead });
  delete node.loaded;
  delete node.preview;
  m.commands.push({ kind: 'approval', approval: request });
  if (auto) return settleGate(m, node, { decision: 'auto_approved', decided_by: 'policy' }, 'policy');
  openGate(m, node, step, { request, ahead });
  return undefined;
}

function openGate(
  m: Machine,
  node: StepNode,
  step: ApprovalStep,
  { request, ahead: { gated, effects_behind: behind } }: { request: ApprovalRequest; ahead: Ahead },
): void {
  node.gate = { approvalId: request.id, since: m.now };
  if (gated) node.gate.gated = gated.name;
  // The plan is loaded in any case.
  if (behind && JSON.stringify(behind) !== JSON.stringify(step.effects_behind)) node.gate.behind = behind;
  const payload: JsonObject = { approvalId: request.id, step: node.name, prompt: request.prompt };
  if (request.failures) {
    node.gate.failures = request.failures;
    payload['failures'] = shortfallsJson(request.failures);
  }
  const edited = behind?.edited;
  if (edited) payload['edited'] = edited.map(({ step: name, inputs, digest }) => ({ step: name, inputs, digest }));
  if (step.timeout_minutes !== undefined) {
    node.gate.dueAt = m.now + step.timeout_minutes * 60_000;
    payload['due_at'] = new Date(node.gate.dueAt).toISOString();
    openTimer(m, { purpose: 'gate', path: node.path, at: node.gate.dueAt });
  }
  for (const { purpose, at } of noticeTimers(step.rules, m.now)) openTimer(m, { purpose, path: node.path, at });
  emit(m, 'approval.requested', node.path, payload);
  emit(m, 'step.waiting', node.path, { step: node.name, reason: 'approval', since: new Date(m.now).toISOString() });
}

function describeGate(
  m: Machine,
  node: StepNode,
  step: ApprovalStep,
  { auto, ahead }: { auto: boolean; ahead: Ahead },
): ApprovalRequest {
  const scope = frameOf(m, node.frame).scope;
  const lookup = inlineLookup(m, scope, node.loaded);
  const prompt = readable(renderText(step.prompt, lookup));
  const preview =
    node.preview ??
    previewOf(previewRefs(step).map((ref) => lookup(ref))[0], step.preview_limit, () => m.newer('preview-rows'));
  const { gated, ...behind } = ahead;
  const action = gated && gatedAction(m, node, gated);
  const dueAt =
    step.timeout_minutes === undefined || auto ? null : new Date(m.now + step.timeout_minutes * 60_000).toISOString();
  return {
    id: approvalIdOf(m, node.path),
    step_path: node.path,
    step_name: node.name,
    status: auto ? 'auto_approved' : 'waiting',
    prompt,
    preview: preview.rows,
    preview_total: preview.total,
    ...(preview.all === undefined ? {} : { preview_rows: preview.all }),
    action: action?.shown ?? null,
    digest: requestDigest(action?.digest ?? previewDigest(m, node, behind, preview), { prompt, ...behind }),
    on_reject: step.on_reject,
    on_timeout: step.on_timeout,
    due_at: dueAt,
    ...noticeTimes(step.rules, m.now),
    ...failuresOf(m, node, step, { preview, gated }),
    ...behind,
    ...policyOf(step.rules),
  };
}

/** Digest of a request without a call. Two runs of older plans that show the same rows at the same place have the same digest. */
function previewDigest(m: Machine, node: StepNode, { effects_behind: behind }: Ahead, { rows }: Preview): string {
  const shown: JsonObject = { path: node.path, preview: rows };
  if (behind !== undefined) shown['run'] = m.state.run.runId;
  return sha256(canonicalJson(shown));
}

/** Missing results that the question, the rows or the effects behind the gate depend on. */
function failuresOf(
  m: Machine,
  node: StepNode,
  step: ApprovalStep,
  { preview, gated }: { preview: Preview; gated: StepPlan | undefined },
): Pick<ApprovalRequest, 'failures'> {
  const { scope } = frameOf(m, node.frame);
  const refs = [...collectReferences(step.prompt), ...previewRefs(step), ...(gated ? readsOf(gated) : [])];
  const found = [...shortfallsOf(m, scope, refs), ...shortfallsOfRoots(m, scope, step.reads_behind ?? [])];
  const failures = [...distinct(found), ...noPreview(m, node, step, preview)];
  return failures.length === 0 ? {} : { failures };
}

/** Reports a preview that is absent for a reason other than a failure that is reported anyway. */
function noPreview(m: Machine, node: StepNode, step: ApprovalStep, { missing }: Preview): Shortfall[] {
  if (step.preview_from === undefined || missing !== true) return [];
  const known = shortfallsOf(m, frameOf(m, node.frame).scope, previewRefs(step));
  if (known.some(({ kind }) => kind !== 'incomplete')) return [];
  const message = `its preview is not there: nothing is at {${step.preview_from}}`;
  return [gapOf(node, { code: 'no_preview', message, certain: true })];
}

/** Length that a person can read: a prompt is shown in the run's log, in lists and in messages. */
const PROMPT_CHARACTERS = 20_000;

function readable(prompt: string): string {
  if (prompt.length <= PROMPT_CHARACTERS) return prompt;
  const half = /[\ud800-\udbff]$/;
  const kept = prompt.slice(0, PROMPT_CHARACTERS).replace(half, '');
  return `${kept}… (${prompt.length - kept.length} characters more; show long data with \`preview_from\`)`;
}

/** A name-based id: the same gate of the same run always has the same one (form of RFC 9562 version 8). */
function approvalIdOf(m: Machine, path: string): string {
  const hex = sha256(`${m.state.run.runId}/approval/${path}`);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

function previewRefs(step: ApprovalStep): Reference[] {
  return step.preview_from === undefined ? [] : collectReferences(`{${step.preview_from}}`);
}

/** A preview of a large value is made by an activity, which can read the whole value. True = the answer is on its way. */
function askForPreview(m: Machine, node: StepNode, step: ApprovalStep): boolean {
  const [ref] = previewRefs(step);
  const value = ref && resolveRef(m, frameOf(m, node.frame).scope, ref);
  if (value?.kind !== 'stored') return false;
  sendLoad(m, { path: node.path, purpose: 'step' }, { refs: {}, preview: { value, limit: step.preview_limit } });
  return true;
}

/** The call of the step as far as it is known now, and the digest that binds the approval to it. */
function gatedAction(m: Machine, node: StepNode, step: CallStep): { shown: Json; digest: string } {
  const gate = stepOf(m, node.name).key;
  const probe = newNode(m, node.frame, step.name);
  const unit = { ...buildUnit(m, probe, step), gate };
  delete m.state.nodes[probe.path];
  const lookup = inlineLookup(m, frameOf(m, node.frame).scope, undefined);
  const shown: Lookup = (ref) => shownRef(ref, unit, lookup);
  return {
    shown: {
      step: step.name,
      action: step.action,
      inputs: withOverride(renderInputs(step.action, step.inputs, shown), unit),
      params: renderValue(step.params, shown),
    },
    digest: callDigest(unit),
  };
}

/** The input override of a retry replaces rendered inputs. */
function withOverride(renderedInput: Json, { overrides }: UnitCall): Json {
  return isJsonObject(renderedInput) && overrides ? { ...renderedInput, ...overrides } : renderedInput;
}

/** Replaces large values, and values that only the decision will give, by their names. */
function shownRef(ref: Reference, unit: UnitCall, lookup: Lookup): Json | undefined {
  if (ref.root === unit.gate) return `{${ref.text}}`;
  return unit.refs[ref.text]?.kind === 'stored' ? `(large value of ${ref.text})` : lookup(ref);
}

/** A decision, a timeout or a preset arrives. */
export function settleGate(m: Machine, node: StepNode, answer: GateAnswer, via: string): string {
  const step = stepOf(m, node.name) as ApprovalStep;
  // The transaction that settles a decision or an expiry records it; only an answer without a row is recorded here.
  if (via === 'policy' || via === 'retry')
    emit(m, 'approval.decided', node.path, {
      approvalId: node.gate?.approvalId ?? approvalIdOf(m, node.path),
      step: node.name,
      decision: answer.decision,
      decided_by: answer.decided_by ?? '',
      via,
      ...(answer.instructions === undefined ? {} : { instructions: answer.instructions }),
    });
  if (answer.decision === 'rejected' && step.on_reject === 'stop') {
    m.state.closing ??= { status: 'rejected', code: 'approval_rejected', message: rejectionText(node, answer) };
  }
  if (answer.decision === 'skipped' && step.on_timeout === 'stop') {
    m.state.closing ??= {
      status: 'timed_out',
      code: 'approval_timed_out',
      message: `Nobody answered ${node.path} in time.`,
    };
  }
  keepForReport(m, node, answer);
  const approved = answer.decision === 'approved' || answer.decision === 'auto_approved';
  grantNext(m, node, answer, approved);
  const out: JsonObject = { decision: answer.decision };
  if (answer.instructions !== undefined) out['instructions'] = answer.instructions;
  if (answer.edits !== undefined) out['edits'] = answer.edits;
  if (answer.decided_by !== undefined) out['decided_by'] = answer.decided_by;
  return settleOk(m, node, { value: out }, { decision: answer.decision });
}

const MAX_WORDS = 300;

function keepForReport(m: Machine, node: StepNode, answer: GateAnswer): void {
  const { decision, decided_by: by, instructions } = answer;
  const words = instructions === undefined ? null : instructions.slice(0, MAX_WORDS);
  keepDecision(m, { step: node.path, decision, by: by ?? null, at: timeOf(m, node, answer), instructions: words });
}

/** A decision counts at the moment of its receipt, a time-out at the end of its time; the run may learn of both much later. */
function timeOf(m: Machine, node: StepNode, { decision, at }: GateAnswer): string {
  const over = decision === 'skipped' ? node.gate?.dueAt : undefined;
  return at ?? new Date(over ?? m.now).toISOString();
}

function rejectionText(node: StepNode, answer: GateAnswer): string {
  return `${answer.decided_by ?? 'A person'} rejected ${node.path}${answer.instructions ? `: ${answer.instructions}` : '.'}`;
}

/**
 * Permits the next step exactly what was approved, with the edited inputs. Without an approval it has the playbook's
 * inputs.
 */
function grantNext(m: Machine, node: StepNode, answer: GateAnswer, approved: boolean): void {
  const { gate } = node;
  const step = stepOf(m, node.name) as ApprovalStep;
  const edits = approved ? answer.edits : undefined;
  const keyEnd = keyEndOf(m, node, edits ?? {});
  if (!approved && keyEnd === undefined) return;
  const gated = gate ? gate.gated : (edits ?? keyEnd) && aheadOf(m, node, step, 'approved').gated?.name;
  if (gated === undefined) return;
  const grant: Grant = { gate: step.key };
  if (gate && approved) grant.approvalId = gate.approvalId;
  if (gate?.behind && approved) grant.behind = gate.behind;
  if (edits) grant.edits = edits;
  if (keyEnd !== undefined) grant.keyEnd = keyEnd;
  (frameOf(m, node.frame).grants ??= {})[gated] = grant;
}

/** A body other than the one that left under a key has a key of its own, the same one whenever it leaves. */
function keyEndOf(m: Machine, { path }: StepNode, edits: JsonObject): string | undefined {
  const left = leftWith(m.state.run.presets as unknown as JsonObject, path);
  return left === undefined || canonicalJson(left) === canonicalJson(edits) ? undefined : keyEnd(edits);
}

export function gateAnswerOf(event: GateEvent): GateAnswer {
  const { decision, ...rest } = event;
  return { decision: decision === 'timed_out' ? 'skipped' : decision, ...rest };
}
