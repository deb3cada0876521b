import type { JsonObject } from '../base/json';
import { collectReferences } from '../expr/template';
import type { SubPlaybookStep } from '../playbook/types';
import { editsOfCall, ofCaller } from './edits-ahead';
import type { Gap, Shortfall } from './gaps';
import type { EngineEvent } from './inbox';
import { emit, frameOf, openCommand, stepOf, type Machine } from './machine';
import { readsOfCall } from './reads-ahead';
import { refTable } from './scope';
import { settleFailed, settleOk } from './settle';
import { shortfallsOf } from './shortfalls';
import type { StepNode } from './state';
import { inputOverrideOf } from './units';

/** Replay-sensitive. A playbook as a step: a run of its own, whose result the parent waits for. */

export function beginChild(m: Machine, node: StepNode, step: SubPlaybookStep): undefined {
  const before = node.child?.runId ?? node.child?.repeats;
  node.phase = 'child';
  // Kept until the child run exists, so that its creation can be repeated.
  node.child = before === undefined ? {} : { repeats: before };
  const id = openCommand(m, { kind: 'child', path: node.path });
  const command = {
    kind: 'child' as const,
    id,
    path: node.path,
    name: step.name,
    // A second try must be a new run: a closed run is never reopened.
    effectKey:
      node.tryNo === 1 ? `${m.state.run.runId}/${node.path}` : `${m.state.run.runId}/${node.path}#${node.tryNo}`,
    playbook: step.playbook,
    inputs: { ...step.inputs },
    refs: refTable(m, frameOf(m, node.frame).scope, collectReferences(step.inputs)),
    effectBehind: step.effect_behind ?? true,
    ...(step.goes_on_after_gate === undefined ? {} : { effectAfterStop: step.goes_on_after_gate }),
    ...(before === undefined ? {} : { repeats: before }),
  };
  const overrides = inputOverrideOf(m, node);
  const lacks = lacksOfInputs(m, node, step, overrides);
  const edited = editsOfCall(m, node, step);
  const callerReads = readsOfCall(m, node, step);
  const call = {
    ...command,
    ...(Object.keys(overrides).length === 0 ? {} : { overrides }),
    ...(Object.keys(lacks).length === 0 ? {} : { lacks }),
    ...(edited.length === 0 ? {} : { edited }),
    ...(callerReads === undefined ? {} : { callerReads }),
  };
  m.commands.push(step.version === undefined ? call : { ...call, version: step.version });
}

/** Lists missing data of the sub-playbook's inputs, by name. Inputs that a person gave lack nothing. */
function lacksOfInputs(
  m: Machine,
  node: StepNode,
  { inputs }: SubPlaybookStep,
  given: JsonObject,
): { [input: string]: Shortfall[] } {
  const { scope } = frameOf(m, node.frame);
  const found: { [input: string]: Shortfall[] } = {};
  for (const [name, value] of Object.entries(inputs)) {
    const lacks = Object.hasOwn(given, name) ? [] : shortfallsOf(m, scope, collectReferences(value));
    if (lacks.length > 0) found[name] = lacks.map((lack) => ({ ...lack, step: ofCaller(lack.step) }));
  }
  return found;
}

export function childStarted(node: StepNode, runId: string): void {
  node.child = { runId };
}

function partialGap(m: Machine, node: StepNode, why: string | undefined): Gap {
  const { playbook } = stepOf(m, node.name) as SubPlaybookStep;
  const reason = why === undefined ? '' : `: ${why}`;
  return { code: 'child_partial', message: `the playbook ${playbook} ended partial${reason}`, certain: true };
}

export function childClosed(
  m: Machine,
  node: StepNode,
  event: EngineEvent & { type: 'child_closed' },
): string | undefined {
  const runId = node.child?.runId ?? '';
  emit(m, 'child.finished', node.path, { step: node.name, child: runId, status: event.status });
  if (event.status === 'complete' || event.status === 'partial') {
    if (event.status === 'partial') m.state.partial = true;
    return settleOk(m, node, event.output, {
      gaps: event.status === 'partial' ? [partialGap(m, node, event.message)] : [],
    });
  }
  const step = stepOf(m, node.name) as SubPlaybookStep;
  const reason = event.message ?? event.code ?? event.status;
  const message = `The playbook ${step.playbook} ended ${event.status}: ${reason}`;
  // Ends this run like the sub-playbook's gate: the steps after it were not approved.
  if (step.ends_with_gate === true && (event.status === 'rejected' || event.status === 'timed_out'))
    m.state.closing ??= { status: event.status, code: event.code ?? `child_${event.status}`, message };
  return settleFailed(m, node, {
    code: event.code ?? `child_${event.status}`,
    message,
    category: 'upstream',
    retryable: mayPass(m, node, event),
  });
}

/**
 * Tells whether a repeat can succeed: the failure of the sub-playbook decides. Runs of the older rule repeat every
 * failure and time-out.
 */
function mayPass(m: Machine, node: StepNode, event: EngineEvent & { type: 'child_closed' }): boolean {
  if (event.retryable === true) return true;
  if (event.status !== 'failed' && event.status !== 'timed_out') return false;
  const { retry_count: tries, on_error } = stepOf(m, node.name);
  return (tries > 0 || on_error === 'retry') && !m.newer('child-errors');
}
