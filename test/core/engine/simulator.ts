import { createHash } from 'node:crypto';
import { loadValues, storeResults } from '../../../activities/stored-values';
import { Values } from '../../../activities/runner/values';
import { isJsonObject, type Json, type JsonObject } from '../../../core/base/json';
import { advance, resume, start } from '../../../core/engine/advance';
import type {
  Advance,
  ApprovalRequest,
  Command,
  FinishCommand,
  LoadCommand,
  RunCommand,
  RunEvent,
  StatusPatch,
  StoreCommand,
} from '../../../core/engine/commands';
import type { EngineEvent } from '../../../core/engine/inbox';
import { indexPlan, type Newer, type PlanIndex } from '../../../core/engine/machine';
import type { ActionTraits, EngineState, RunFacts, TimerPurpose } from '../../../core/engine/state';
import type { StepError } from '../../../core/errors/app-error';
import { parsePlaybook } from '../../../core/playbook/parse-playbook';
import type { Plan } from '../../../core/playbook/types';
import type { BlobStore } from '../../../infra/blob/blob-store';
import { decidedEnd } from '../../../workflows/decided-end';

/** Actions of the tests. `quick` travels in segments, `slow` goes alone, `transform_data` runs inline. */
const TRAITS: { [action: string]: ActionTraits } = {
  quick: { short: true, pure: false, available: true, model: false },
  slow: { short: false, pure: false, available: true, model: false },
  gone: { short: false, pure: false, available: false, model: false },
  ai: { short: false, pure: false, available: true, model: true },
  research_model_call: { short: false, pure: false, available: true, model: true },
  transform_data: { short: true, pure: true, available: true, model: false },
  end_run: { short: true, pure: true, available: true, model: false },
};

export function planOf(yaml: string): Plan {
  const { plan, problems } = parsePlaybook(yaml);
  if (!plan) throw new Error(JSON.stringify(problems, null, 1));
  return plan;
}

export type Open = Exclude<Command, { kind: 'cancel' | 'approval' | 'finish' }>;

/** Replaces a driver: keeps the engine's commands until the test answers them. */
export class Simulator {
  readonly index: PlanIndex;
  state: EngineState;
  now = Date.UTC(2026, 0, 1);
  draining = false;
  newer: Newer = () => true;
  /** Too large to do everything twice. */
  large = false;
  /** The run was ending already when the last event came. */
  closingBefore = false;
  readonly open = new Map<string, Open>();
  readonly cancelled = new Set<string>();
  readonly events: RunEvent[] = [];
  readonly approvals: ApprovalRequest[] = [];
  readonly patches: StatusPatch[] = [];
  finish: FinishCommand | undefined;
  /** Commands of the last activation. */
  last: Command[] = [];
  readonly values: Values;
  readonly blobs = new Map<string, Buffer>();

  constructor(plan: Plan | string, facts: Partial<RunFacts> = {}) {
    this.index = indexPlan(typeof plan === 'string' ? planOf(plan) : plan);
    const run: RunFacts = {
      runId: 'run-1',
      playbook: this.index.plan.playbook.id,
      clock: { now: '2026-01-01T00:00:00Z', today: '2026-01-01', time_zone: 'UTC' },
      inputs: {},
      approvalPolicy: 'require',
      presets: {},
      overrides: {},
      traits: TRAITS,
      ...facts,
    };
    this.values = new Values(memoryBlobs(this.blobs), 'owner');
    const begun = start(this.index, run, this.now);
    this.state = begun.state;
    this.take(begun);
  }

  /** Every activation is done twice, on the state and on a copy that went through JSON: both must do the same. */
  send(event: EngineEvent): void {
    const copy = this.large ? undefined : (JSON.parse(JSON.stringify(this.state)) as EngineState);
    this.closingBefore = this.state.closing !== undefined;
    const moment = { now: this.now, draining: this.draining, newer: this.newer };
    const ahead = event.type === 'gate' ? decidedEnd(this.index, this.state, event, moment) : undefined;
    const result = advance(this.index, this.state, event, moment);
    if (ahead && JSON.stringify([ahead.result, ahead.state]) !== JSON.stringify([result, this.state]))
      throw new Error('an end came otherwise than it was foreseen');
    const again = copy && advance(this.index, copy, JSON.parse(JSON.stringify(event)) as EngineEvent, moment);
    if (again && JSON.stringify([again, copy]) !== JSON.stringify([result, this.state]))
      throw new Error(`not deterministic: ${event.type}`);
    if ('id' in event && event.type !== 'child_started') {
      this.open.delete(event.id);
      this.cancelled.delete(event.id);
    }
    this.take(result);
  }

  continueAsNew(): void {
    this.state = JSON.parse(JSON.stringify(this.state)) as EngineState;
    this.draining = false;
    this.open.clear();
    this.take(resume(this.index, this.state, this.now, this.newer));
  }

  private take(result: Advance): void {
    if (this.finish && (result.commands.length > 0 || result.events.length > 0 || result.patch))
      throw new Error('something came after the finish');
    this.events.push(...result.events);
    if (result.patch) this.patches.push(result.patch);
    this.last = result.commands;
    for (const command of result.commands) {
      if (command.kind === 'finish') this.finish = command;
      else if (command.kind === 'approval') this.approvals.push(command.approval);
      else if (command.kind === 'cancel') this.cancel(command.id);
      else this.open.set(command.id, command);
    }
  }

  /** A cancelled timer never answers; a cancelled activity does. */
  private cancel(id: string): void {
    if (this.open.get(id)?.kind === 'timer') this.open.delete(id);
    else this.cancelled.add(id);
  }

  of<K extends Open['kind']>(kind: K): Extract<Open, { kind: K }>[] {
    return [...this.open.values()].filter((command): command is Extract<Open, { kind: K }> => command.kind === kind);
  }

  /** The open activity that carries this path. */
  run(path: string): RunCommand {
    const found = this.of('run').find((command) => command.units.some((unit) => unit.path === path));
    if (!found)
      throw new Error(
        `nothing carries ${path}; open: ${JSON.stringify(this.of('run').map((command) => command.units.map((unit) => unit.path)))}`,
      );
    return found;
  }

  paths(): string[][] {
    return this.of('run').map((command) => command.units.map((unit) => unit.path));
  }

  /** All units of the activity succeed with these outputs (default: `{}`). */
  ok(path: string, outputs: { [path: string]: Json } = {}): void {
    const command = this.run(path);
    const outcomes = command.units.map((unit) => ({
      path: unit.path,
      status: 'ok' as const,
      output: { value: outputs[unit.path] ?? {} },
    }));
    this.send({ type: 'outcomes', id: command.id, outcomes });
  }

  /** The units before succeed, this one fails, those behind are not reached. */
  fail(path: string, error: Partial<StepError> = {}): void {
    const command = this.run(path);
    const at = command.units.findIndex((unit) => unit.path === path);
    const before = command.units
      .slice(0, at)
      .map((unit) => ({ path: unit.path, status: 'ok' as const, output: { value: {} } }));
    this.send({
      type: 'outcomes',
      id: command.id,
      outcomes: [...before, { path, status: 'failed', error: { ...BROKEN, ...error } }],
    });
  }

  timer(purpose: TimerPurpose): void {
    const found = this.of('timer').find(({ id }) => {
      const open = this.state.open[id];
      return open?.kind === 'timer' && open.purpose === purpose;
    });
    if (!found) throw new Error(`no timer for ${purpose}`);
    this.now = Math.max(this.now, found.at);
    this.send({ type: 'timer', id: found.id });
  }

  async answer(command: LoadCommand | StoreCommand): Promise<void> {
    const { id } = command;
    const ref = { runId: 'run-1', ownerId: 'owner', versionId: 'v' };
    if (command.kind === 'store')
      this.send({ type: 'stored', id, stored: await storeResults(this.values, { ...ref, parts: command.parts }) });
    else {
      const { kind: _kind, id: _id, summary: _summary, ...what } = command;
      this.send({ type: 'loaded', id, ...(await loadValues(this.values, { ...ref, ...what })) });
    }
  }

  decide(
    path: string,
    decision: 'approved' | 'rejected',
    more: { edits?: JsonObject; instructions?: string; at?: string } = {},
  ): void {
    const approval = this.approvals.find((request) => request.step_path === path);
    if (!approval) throw new Error(`no approval at ${path}`);
    this.send({ type: 'gate', approvalId: approval.id, answer: { decision, decided_by: 'ann', ...more } });
  }

  types(type: string): string[] {
    return this.events.filter((event) => event.type === type).map((event) => event.step_path ?? '');
  }

  output(key: string): Json | undefined {
    return this.finish?.outputs[key]?.value;
  }
}

export const BROKEN: StepError = { code: 'broken', message: 'It broke.', category: 'upstream', retryable: false };

function memoryBlobs(blobs: Map<string, Buffer>): BlobStore {
  return {
    put: (_scope, bytes) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      blobs.set(sha256, Buffer.from(bytes));
      return Promise.resolve({ sha256, size: bytes.length });
    },
    get: (_scope, sha256) => {
      const found = blobs.get(sha256);
      return found ? Promise.resolve(found) : Promise.reject(new Error(`no blob ${sha256}`));
    },
    has: (_scope, sha256) => Promise.resolve(blobs.has(sha256)),
  };
}

export function field(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}
