import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { jsonText } from '../base/json-text';
import { advance, start } from '../engine/advance';
import type {
  Advance,
  ApprovalRequest,
  ChildCommand,
  Command,
  FinishCommand,
  RunCommand,
  RunEvent,
  UnitCall,
} from '../engine/commands';
import { OUTPUT_PATH } from '../engine/finish';
import type { EngineEvent, UnitOutcome } from '../engine/inbox';
import { indexPlan, type PlanIndex } from '../engine/machine';
import type { ActionTraits } from '../engine/state';
import { AppError } from '../errors/app-error';
import { renderDefined } from '../expr/template';
import { effectOf } from '../playbook/effects';
import type { Plan, StepPlan } from '../playbook/types';
import { PlanFacts } from '../validate/plan-facts';
import type { Catalogue } from '../validate/catalogue';
import { MemoryStore } from './memory-store';
import { renderCall, sampleFor, standIn, type Rendered, type StandIn } from './stand-in';
import type { DryApproval, DryDestination, DryReport, DryRunRequest, DryStep, LiveRead, NotLive } from './types';

/** Steps that a dry run carries out; a loop whose condition a stand-in never meets must not run for ever. */
const MOST_CALLS = 1_000;
const NO_RUN = '00000000-0000-0000-0000-000000000000';

type Answerable = Exclude<Command, { kind: 'cancel' | 'approval' | 'finish' }>;

/** Reports what a playbook would do: the engine itself decides, with a stand-in for everything outside. */
export function dryRun(
  plan: Plan,
  outside: { catalogue: Catalogue; traits: { [action: string]: ActionTraits }; live?: LiveRead },
  request: DryRunRequest,
): Promise<DryReport> {
  const facts = new PlanFacts(plan, outside.catalogue);
  return new DryRun(plan, { request, facts, live: outside.live }).run(outside.traits);
}

/** Every call is a command of the engine, also that of a pure step, so that its inputs can be shown. */
function separate(traits: { [action: string]: ActionTraits }): { [action: string]: ActionTraits } {
  return Object.fromEntries(Object.entries(traits).map(([name, own]) => [name, { ...own, short: false, pure: false }]));
}

class DryRun {
  private readonly index: PlanIndex;
  private readonly memory = new MemoryStore();
  private readonly open: Answerable[] = [];
  private readonly steps: DryStep[] = [];
  private readonly approvals: DryApproval[] = [];
  private destinations: DryDestination[] = [];
  private readonly answers: EngineEvent[] = [];
  private finish: FinishCommand | undefined;
  private calls = 0;

  constructor(
    plan: Plan,
    private readonly parts: { request: DryRunRequest; facts: PlanFacts; live: LiveRead | undefined },
  ) {
    this.index = indexPlan(plan);
  }

  async run(traits: { [action: string]: ActionTraits }): Promise<DryReport> {
    const { inputs, query, clock } = this.parts.request;
    const { plan } = this.index;
    const now = Date.parse(clock.now);
    const begun = start(
      this.index,
      {
        runId: NO_RUN,
        playbook: plan.playbook.id,
        clock,
        inputs,
        approvalPolicy: plan.approval_policy,
        presets: {},
        overrides: {},
        traits: separate(traits),
        ...(query === undefined ? {} : { query }),
      },
      now,
    );
    this.take(begun);
    while (this.calls < MOST_CALLS) {
      const event = this.answers.shift() ?? (await this.next());
      if (event === undefined) break;
      this.take(advance(this.index, begun.state, event, { now, draining: false }));
    }
    return this.report();
  }

  private take({ commands, events }: Advance): void {
    for (const event of events) this.note(event);
    for (const command of commands) {
      if (command.kind === 'finish') this.finish = command;
      else if (command.kind === 'approval') this.gate(command.approval);
      // A cancelled command still answers: work in flight is awaited, and the timer of a decided gate changes nothing.
      else if (command.kind !== 'cancel') this.open.push(command);
    }
  }

  private async next(): Promise<EngineEvent | undefined> {
    const command = this.open.shift();
    if (command === undefined) return undefined;
    switch (command.kind) {
      case 'run':
        return { type: 'outcomes', id: command.id, outcomes: await this.outcomes(command) };
      case 'child':
        return this.child(command);
      case 'load':
        return { type: 'loaded', id: command.id, ...this.memory.loaded(command) };
      case 'store':
        return { type: 'stored', id: command.id, stored: this.memory.store(command) };
      case 'timer':
        return { type: 'timer', id: command.id };
    }
  }

  private async outcomes({ units }: RunCommand): Promise<UnitOutcome[]> {
    const outcomes: UnitOutcome[] = [];
    for (const unit of units) {
      this.calls += 1;
      outcomes.push(unit.path === OUTPUT_PATH ? this.route(unit) : await this.call(unit));
    }
    return outcomes;
  }

  private async call(unit: UnitCall): Promise<UnitOutcome> {
    const step = this.step(unit.name);
    const call = this.render(unit);
    if ('code' in call) return this.failed(unit, step, call);
    const read = await this.read(unit, step, call);
    const answer = 'ok' in read ? read : standIn(unit, step, call, this.parts);
    if (!answer.ok) return this.failed(unit, step, answer.error, call);
    const { output, source } = answer;
    const why = 'ok' in read || read.notLive === '' || source === 'computed' ? {} : { not_live: read.notLive };
    this.steps.push({ ...this.base(unit, step), status: 'ok', ...shown(call), output, source, ...why });
    return { path: unit.path, status: 'ok', output: { value: output } };
  }

  /** A source is read live where the caller allows it, the endpoint only reads, and no sample is given. Otherwise the reason why not. */
  private async read(unit: UnitCall, step: StepPlan, { renderedInput, params }: Rendered): Promise<StandIn | NotLive> {
    const { connector, endpoint } = params;
    const { live, request, facts } = this.parts;
    if (live === undefined) return { notLive: '' };
    if (unit.action !== 'call_connector') return { notLive: 'only calls of connectors (call_connector) are read live' };
    if (sampleFor(request, unit) !== undefined) return { notLive: 'a result was given for it' };
    if (typeof connector !== 'string' || typeof endpoint !== 'string')
      return { notLive: 'its endpoint is not known here' };
    if (effectOf(step, facts.effects) !== 'none')
      return { notLive: `${connector}.${endpoint} has an effect, or may have one` };
    const answer = await live({ connector, endpoint, inputs: renderedInput });
    return 'ok' in answer && answer.ok ? { ...answer, source: 'live' } : answer;
  }

  /** Inputs that cannot be rendered are the step's failure, as in a run. */
  private render(unit: UnitCall): Rendered | { code: string; message: string } {
    try {
      return renderCall(unit, this.memory);
    } catch (error) {
      if (error instanceof AppError) return { code: error.code, message: error.message };
      throw error;
    }
  }

  private failed(
    unit: UnitCall,
    step: StepPlan,
    error: { code: string; message: string },
    call?: Rendered,
  ): UnitOutcome {
    const { code, message } = error;
    this.steps.push({ ...this.base(unit, step), status: 'failed', ...(call && shown(call)), error: { code, message } });
    return failure(unit, error);
  }

  private base(
    unit: UnitCall,
    step: StepPlan,
  ): Pick<DryStep, 'step' | 'step_path' | 'kind' | 'action' | 'effect' | 'condition' | 'stops_for'> {
    return {
      step: step.name,
      step_path: unit.path,
      kind: step.kind,
      action: unit.action,
      effect: effectOf(step, this.parts.facts.effects),
      ...conditionMet(step),
      ...(step.stops_for === undefined ? {} : { stops_for: step.stops_for }),
    };
  }

  private route(unit: UnitCall): UnitOutcome {
    const call = this.render(unit);
    if ('code' in call) return failure(unit, call);
    const wanted = call.params['destinations'];
    this.destinations = Array.isArray(wanted) ? wanted.filter(isJsonObject).map(destination) : [];
    return { path: unit.path, status: 'ok', output: { value: { summary: call.renderedInput['summary'] ?? null } } };
  }

  /** A playbook that is called is not entered: it has a dry run of its own. */
  private child(command: ChildCommand): EngineEvent {
    this.calls += 1;
    const step = this.step(command.name);
    const renderedInput = renderDefined(command.inputs, (ref) => this.memory.resolve(command.refs[ref.text]));
    const sample = sampleFor(this.parts.request, command);
    const output: Json = sample ?? { runId: NO_RUN, status: 'complete', summary: null, outputs: {} };
    this.steps.push({
      step: step.name,
      step_path: command.path,
      kind: step.kind,
      action: command.playbook,
      status: 'ok',
      effect: effectOf(step, this.parts.facts.effects),
      ...conditionMet(step),
      inputs: isJsonObject(renderedInput) ? renderedInput : {},
      output,
      source: sample === undefined ? 'shape' : 'sample',
    });
    return { type: 'child_closed', id: command.id, status: 'complete', output: { value: output } };
  }

  private gate(asked: ApprovalRequest): void {
    const { step_path, step_name, prompt, preview, preview_total, action, on_reject, on_timeout, failures } = asked;
    const wanted = this.parts.request.decisions;
    const decision = (Object.hasOwn(wanted, step_name) ? wanted[step_name] : undefined) ?? 'approved';
    const decided_as = asked.status === 'auto_approved' ? asked.status : decision;
    this.approvals.push({
      step: step_name,
      step_path,
      prompt,
      preview,
      preview_total,
      action,
      on_reject,
      on_timeout,
      decided_as,
      ...(failures === undefined ? {} : { failures }),
    });
    if (asked.status === 'waiting')
      this.answers.push({ type: 'gate', approvalId: asked.id, answer: { decision, decided_by: 'dry run' } });
  }

  /** Notes steps without a call: skipped ones, gates, and structures. */
  private note({ type, step_path, payload }: RunEvent): void {
    if ((type !== 'step.skipped' && type !== 'step.finished') || step_path === undefined) return;
    const step = this.step(jsonText(payload['step']));
    const base = { step: step.name, step_path, kind: step.kind };
    if (type === 'step.skipped') {
      const reason = jsonText(payload['reason']);
      const condition =
        step.condition === undefined ? {} : { condition: { text: step.condition, result: reason !== 'condition' } };
      const message = jsonText(payload['message'] ?? '');
      this.steps.push({ ...base, status: 'skipped', reason, ...(message === '' ? {} : { message }), ...condition });
    } else if (!this.steps.some((known) => known.step_path === step_path)) {
      const error = payload['error'];
      const status = payload['status'] === 'failed' ? 'failed' : 'ok';
      this.steps.push({
        ...base,
        status,
        ...conditionMet(step),
        ...(isJsonObject(error)
          ? { error: { code: jsonText(error['code']), message: jsonText(error['message']) } }
          : {}),
      });
    }
  }

  private step(name: string): StepPlan {
    const step = this.index.steps.get(name);
    if (step === undefined) throw new Error(`the plan has no step ${name}`);
    return step;
  }

  private report(): DryReport {
    const { steps, approvals, destinations, finish } = this;
    const outputs: JsonObject = {};
    for (const [key, stored] of Object.entries(finish?.outputs ?? {})) outputs[key] = this.memory.load(stored);
    const base = { steps, approvals, destinations, outputs, finished: finish !== undefined };
    if (finish === undefined) return { status: 'running', ...base };
    const { status, code, message, summary } = finish;
    return {
      status,
      ...base,
      ...(code === undefined ? {} : { code }),
      ...(message === undefined ? {} : { message }),
      ...(summary === undefined ? {} : { summary }),
    };
  }
}

/** Names the values as a report does. */
function shown({ renderedInput, params }: Rendered): Pick<DryStep, 'inputs' | 'params'> {
  return { inputs: renderedInput, params };
}

function failure({ path }: UnitCall, { code, message }: { code: string; message: string }): UnitOutcome {
  return { path, status: 'failed', error: { code, message, category: 'validation', retryable: false } };
}

function conditionMet({ condition }: StepPlan): Pick<DryStep, 'condition'> {
  return condition === undefined ? {} : { condition: { text: condition, result: true } };
}

function destination(value: JsonObject): DryDestination {
  const { type, format, config, condition, written } = value;
  const base = { type: jsonText(type), format: jsonText(format), config: isJsonObject(config) ? config : {} };
  return condition === false ? { ...base, skipped: jsonText(written) } : base;
}
