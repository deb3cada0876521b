import type { JsonObject } from '../base/json';
import type { StepError } from '../errors/app-error';
import { collectReferences } from '../expr/template';
import type { Reference } from '../expr/types';
import { readsOfOutput } from '../playbook/reads';
import type { OutputPlan } from '../playbook/types';
import type { FinishCommand } from './commands';
import type { EngineEvent, UnitOutcome } from './inbox';
import { judgeCondition, sendLoad } from './load';
import { emit, openCommand, type Machine } from './machine';
import { fieldOf, refTable } from './scope';
import type { Closing } from './state';
import type { StoredValue } from './values';
import { shortfallText } from '../report/shortfall-text';
import { unwrittenDestinations } from './gaps';
import { noteOfRun, reasonsText } from './reasons';
import { distinct, shortfallsOf } from './shortfalls';
import { isQuarantined, VALUE_LIMIT } from './units';

/** Replay-sensitive. The end of a run: outputs to their destinations, then the last record. */

export const OUTPUT_PATH = '$output';

/** Called when nothing is open and nothing is ready. */
export function concludeRun(m: Machine): void {
  const { state } = m;
  const output = m.index.plan.output;
  const isGood = !state.closing || state.closing.ended === true;
  if (output && isGood && state.output?.routed !== true) {
    // Outputs are work like any other: not while the run is paused or about to continue as new.
    if (state.paused || m.draining) return;
    state.output ??= { wanted: {} };
    if (!askForDestinations(m, output)) sendOutput(m, output);
    return;
  }
  finish(m, state.closing?.ended ? endAsSaid(m, state.closing) : (state.closing ?? endOf(m)));
}

const MAX_MESSAGE = 1000;

/** A partial run says why. */
function endOf({ state }: Machine): Closing {
  if (!state.partial) return { status: 'complete' };
  // A run that an older version began may not know.
  if (state.reasons === undefined) return { status: 'partial' };
  return { status: 'partial', message: reasonsText(state.reasons).slice(0, MAX_MESSAGE) };
}

/** `complete` is not said of a run that lacks something; then the code of the end stays, and the message says both. */
function endAsSaid({ state }: Machine, { ended: _ended, ...said }: Closing): Closing {
  if (!state.partial || said.status === 'partial') return said;
  const messages = [said.message, state.reasons && reasonsText(state.reasons)].filter((text) => text !== undefined);
  const message = messages.join(' ').slice(0, MAX_MESSAGE);
  return { ...said, status: 'partial', ...(message === '' ? {} : { message }) };
}

/** Conditions of destinations on values that lie behind handles are judged first. True = an answer is on its way. */
function askForDestinations(m: Machine, output: OutputPlan): boolean {
  let asked = false;
  output.destinations.forEach(({ condition }, at) => {
    if (condition === undefined || m.state.output?.wanted[at] !== undefined) return;
    const verdict = judgeCondition(m, '', condition);
    if (typeof verdict === 'boolean') return;
    if ('fault' in verdict) return destinationUnread(m, String(at), verdict.fault);
    sendLoad(m, { path: String(at), purpose: 'destination' }, { refs: verdict.ask, condition });
    asked = true;
  });
  return asked;
}

export function destinationJudged(m: Machine, at: string, wanted: boolean): void {
  if (m.state.output) m.state.output.wanted[at] = wanted;
}

/** A destination whose condition could not be judged fails. Once it counted as one that is not wanted, without a word. */
export function destinationUnread(m: Machine, at: string, { code, message }: StepError): void {
  destinationJudged(m, at, false);
  if (m.state.output && m.newer('lost-content'))
    m.state.output.unread = { ...m.state.output.unread, [at]: { code, message } };
}

function sendOutput(m: Machine, output: OutputPlan): void {
  const id = openCommand(m, { kind: 'output', resumes: m.state.resumes });
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
  const queue = isQuarantined(m, OUTPUT_PATH) ? 'quarantine' : 'main';
  m.commands.push({ kind: 'run', id, activity: 'route_output', summary: 'output', queue, units: [unit] });
}

function outputInputs(m: Machine, output: OutputPlan): JsonObject {
  const { plan } = m.index;
  return {
    title: output.title ?? plan.playbook.name,
    sections: output.sections.map((section) => ({
      title: section.title,
      value: `{${section.source}}`,
      source: section.source,
      ...(section.format === undefined ? {} : { format: section.format }),
    })),
    ...(output.summary === undefined ? {} : { summary: output.summary }),
  };
}

/** Configuration of the output, not rendered: file name templates have words of their own in braces. */
function outputSettings(m: Machine, output: OutputPlan): JsonObject {
  const destinations = output.destinations.map(({ type, format, config, condition }, at) => {
    const destination = { type, format, config };
    const fault = m.state.output?.unread?.[at];
    if (fault) return { ...destination, fault };
    // One that is not wanted travels along: the report names it.
    const wanted = destinationWanted(m, condition, at);
    return wanted || condition === undefined ? destination : { ...destination, condition: false, written: condition };
  });
  return {
    values: m.state.run.inputs,
    $settings: {
      format: output.format,
      save_to: output.save_to,
      destinations,
      playbook: m.index.plan.playbook.id,
      date: m.state.run.clock.today,
      facts: outputFacts(m, output),
      ...(output.template === undefined ? {} : { template: output.template }),
    },
  };
}

/** Facts of a report beside its sections. They travel as data: none of them is a template. */
function outputFacts(m: Machine, output: OutputPlan): JsonObject {
  const texts = (refs: Reference[]): string[] => shortfallsOf(m, '', refs).map(shortfallText);
  const missing = distinct([
    ...shortfallsOf(m, '', readsOfOutput(output)).filter(({ kind }) => kind !== 'skipped'),
    ...(m.state.shortfalls ?? []),
  ]);
  return {
    status: m.state.partial || m.state.closing?.status === 'partial' ? 'partial' : 'complete',
    decisions: (m.state.decisions ?? []).map((decision) => ({ ...decision })),
    missing: missing.map(shortfallText),
    sections: output.sections.map(({ source }) => texts(collectReferences(`{${source}}`))),
    summary: texts(collectReferences(output.summary ?? '')),
  };
}

function destinationWanted(m: Machine, condition: string | undefined, at: number): boolean {
  if (condition === undefined) return true;
  return m.state.output?.wanted[at] ?? judgeCondition(m, '', condition) === true;
}

/** Takes the outcome of the output; undefined = the run was paused before, and the output is sent again. */
export function outputAnswered(m: Machine, outcome: UnitOutcome | undefined): void {
  if (!outcome || !m.state.output) return;
  const value = outcome.output?.value ?? null;
  const summary = fieldOf(value, 'summary');
  m.state.output = {
    wanted: {},
    routed: true,
    routing_report: fieldOf(value, 'routing_report') ?? failedReport(outcome.error),
    ...(typeof summary === 'string' ? { summary } : {}),
  };
  if (outcome.status === 'ok' && fieldOf(value, 'success') !== false) return;
  m.state.partial = true;
  for (const { code, message } of unwrittenDestinations({ routing_report: m.state.output.routing_report ?? null }))
    noteOfRun(m, { step: OUTPUT_PATH, kind: 'incomplete', code, message });
}

export function outputLost(m: Machine, { reason, message }: EngineEvent & { type: 'lost' }): void {
  if (reason === 'quarantine') {
    m.state.quarantined[OUTPUT_PATH] = true;
    return;
  }
  const error: StepError = { code: 'worker_lost', message, category: 'internal', retryable: false };
  outputAnswered(m, { path: OUTPUT_PATH, status: 'failed', error });
}

function failedReport(error: StepError | undefined): JsonObject[] {
  return [
    {
      destination: 'output',
      status: 'error',
      code: error?.code ?? 'output_failed',
      message: error?.message ?? 'The output was not routed.',
    },
  ];
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
  if (closing.retryable !== undefined) command.retryable = closing.retryable;
  if (state.output?.summary !== undefined) command.summary = state.output.summary;
  if (state.output?.routing_report !== undefined) command.routing_report = state.output.routing_report;
  const payload: JsonObject = { status: closing.status };
  if (closing.code !== undefined) payload['code'] = closing.code;
  if (closing.message !== undefined) payload['message'] = closing.message;
  if (command.summary !== undefined) payload['summary'] = command.summary;
  emit(m, 'complete', undefined, payload);
  m.commands.push(command);
}
