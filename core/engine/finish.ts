import type { JsonObject } from '../base/json';
import { collectConditionReferences, evaluateCondition, parseCondition } from '../expr/condition';
import { collectReferences } from '../expr/template';
import type { OutputPlan } from '../playbook/types';
import type { FinishCommand } from './commands';
import type { UnitOutcome } from './inbox';
import { emit, openCommand, type Machine } from './machine';
import { deferredRefs, fieldOf, inlineLookup, refTable } from './scope';
import type { Closing } from './state';
import type { StoredValue } from './values';
import { VALUE_LIMIT } from './units';

/** Replay-sensitive. The end of a run: outputs to their destinations, then the last record. */

export const OUTPUT_PATH = '$output';

/** Called when nothing is open and nothing is ready. */
export function concludeRun(m: Machine): void {
  const { state } = m;
  const closing = state.closing ?? { status: state.partial ? ('partial' as const) : ('complete' as const) };
  const output = m.index.plan.output;
  if (output && !state.closing && state.output === undefined) {
    state.output = {};
    sendOutput(m, output);
    return;
  }
  finish(m, closing);
}

function sendOutput(m: Machine, output: OutputPlan): void {
  const id = openCommand(m, { kind: 'output' });
  const inputs = outputInputs(m, output);
  const unit = {
    path: OUTPUT_PATH,
    name: OUTPUT_PATH,
    key: OUTPUT_PATH,
    effectKey: `${m.state.run.runId}/${OUTPUT_PATH}`,
    tryNo: 1,
    action: OUTPUT_PATH,
    inputs,
    params: {},
    refs: refTable(m, '', collectReferences(inputs)),
    edits: outputSettings(m, output),
    timeoutMs: 300_000,
    valueLimit: VALUE_LIMIT,
  };
  m.commands.push({ kind: 'run', id, activity: 'route_output', summary: 'output', queue: 'main', units: [unit] });
}

function outputInputs(m: Machine, output: OutputPlan): JsonObject {
  const { plan } = m.index;
  return {
    title: output.title ?? plan.playbook.name,
    sections: output.sections.map((section) => ({
      title: section.title,
      value: `{${section.source}}`,
      ...(section.format === undefined ? {} : { format: section.format }),
    })),
    ...(output.summary === undefined ? {} : { summary: output.summary }),
  };
}

/** What is configuration: handed over as it is, since file name templates have words of their own in braces. */
function outputSettings(m: Machine, output: OutputPlan): JsonObject {
  const destinations = output.destinations
    .filter((destination) => destinationWanted(m, destination.condition))
    .map(({ type, format, config }) => ({ type, format, config }));
  return {
    values: m.state.run.inputs,
    $settings: {
      format: output.format,
      save_to: output.save_to,
      destinations,
      playbook: m.index.plan.playbook.id,
      date: m.state.run.clock.today,
      ...(output.template === undefined ? {} : { template: output.template }),
    },
  };
}

function destinationWanted(m: Machine, condition: string | undefined): boolean {
  if (condition === undefined) return true;
  const parsed = parseCondition(condition);
  if (!parsed.ok) return false;
  if (deferredRefs(refTable(m, '', collectConditionReferences(parsed.value)), undefined)) return true;
  return evaluateCondition(parsed.value, inlineLookup(m, '', undefined));
}

export function outputRouted(m: Machine, outcome: UnitOutcome | undefined): void {
  const value = outcome?.output?.value ?? null;
  const summary = fieldOf(value, 'summary');
  m.state.output = {
    routing_report: fieldOf(value, 'routing_report') ?? failedReport(outcome),
    ...(typeof summary === 'string' ? { summary } : {}),
  };
  if (outcome?.status !== 'ok' || fieldOf(value, 'success') === false) m.state.partial = true;
}

function failedReport(outcome: UnitOutcome | undefined): JsonObject[] {
  const error = outcome?.error;
  return [{ destination: 'output', status: 'error', code: error?.code ?? 'output_failed', message: error?.message ?? 'The output was not routed.' }];
}

function finish(m: Machine, closing: Closing): void {
  const { state } = m;
  state.finished = true;
  state.closing = closing;
  const outputs: { [key: string]: StoredValue } = {};
  for (const [key, entry] of Object.entries(state.scopes['']?.entries ?? {})) {
    if (entry.status === 'ok') outputs[key] = entry.out;
  }
  const command: FinishCommand = { kind: 'finish', status: closing.status, outputs };
  if (closing.code !== undefined) command.code = closing.code;
  if (closing.message !== undefined) command.message = closing.message;
  if (state.output?.summary !== undefined) command.summary = state.output.summary;
  if (state.output?.routing_report !== undefined) command.routing_report = state.output.routing_report;
  const payload: JsonObject = { status: closing.status };
  if (closing.code !== undefined) payload['code'] = closing.code;
  if (closing.message !== undefined) payload['message'] = closing.message;
  if (command.summary !== undefined) payload['summary'] = command.summary;
  emit(m, 'complete', undefined, payload);
  m.commands.push(command);
}
