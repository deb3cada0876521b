import { renderUnit } from '../../../activities/runner/render';
import type { Json } from '../../../core/base/json';
import { jsonText } from '../../../core/base/json-text';
import { isDrained } from '../../../core/engine/advance';
import type { ChildCommand, RunCommand, UnitCall } from '../../../core/engine/commands';
import type { SourceWaitFacts, UnitOutcome } from '../../../core/engine/inbox';
import type { StoredValue } from '../../../core/engine/values';
import { pureActions } from '../../../core/transform/pure-actions';
import { check, expectedBefore, snapshot, type Snapshot } from './invariants';
import type { MadePlan } from './random-plans';
import { BROKEN, field, Simulator, type Open } from './simulator';

const LARGE = 2000;

/** Events that may happen to a run besides its steps. */
export interface Weather {
  failures: boolean;
  people: boolean;
  losses: boolean;
  drains: boolean;
  /** Sources that ask for silence between two pages. */
  waits: boolean;
  cancel: boolean;
}

/** A platform that keeps its promises, on which everything that may go wrong does, as the choices say. */
export class Chaos {
  readonly sim: Simulator;
  /** Log of results: effect key → result of its success, or its failed attempts. */
  private readonly recorded = new Map<string, { ok?: StoredValue; failed: Set<number> }>();
  readonly performed = new Map<string, number>();
  /** Pages that sources have seen in each attempt. */
  private readonly pages = new Map<string, number>();
  private control: 'run' | 'pause' | 'cancel' = 'run';
  private readonly losses = new Map<string, number>();
  private at = 0;
  steps = 0;
  readonly seen: Snapshot;
  seenAtEnd: Snapshot | undefined;

  constructor(
    readonly made: MadePlan,
    private readonly choices: number[],
    private readonly weather: Weather,
  ) {
    const items = Array.from({ length: 3 }, (_, at) => ({ id: `input#${at}` }));
    this.sim = new Simulator(made.plan, { inputs: { items } });
    this.seen = snapshot();
    this.look();
  }

  /** A number below `n`; 0 when the choices are used up: nothing goes wrong any more. */
  private pick(n: number): number {
    const choice = this.choices[this.at];
    this.at += 1;
    return choice === undefined ? 0 : choice % n;
  }

  private chance(of: number, when: boolean): boolean {
    return this.pick(of) === of - 1 && when;
  }

  async run(): Promise<void> {
    while (!this.sim.finish) {
      this.steps += 1;
      if (this.steps > 5000) throw new Error('the run does not end');
      await this.happen();
      this.look();
    }
    check.end(this);
  }

  private look(): void {
    check.step(this, this.seen);
  }

  private async happen(): Promise<void> {
    const { sim, weather } = this;
    if (this.chance(12, weather.people)) return this.press();
    if (this.chance(20, weather.cancel)) return this.cancel();
    if (this.chance(12, weather.drains)) sim.draining = true;
    if (sim.draining && isDrained(sim.state) && this.pick(3) === 0) return sim.continueAsNew();
    const open = [...sim.open.values()].filter((command) => command.kind !== 'timer' || this.pick(4) === 3);
    const command = open[this.pick(open.length || 1)];
    if (command) return this.answer(command);
    return this.unblock();
  }

  private press(): void {
    const pause = this.control === 'run';
    if (this.control === 'cancel') return;
    this.control = pause ? 'pause' : 'run';
    // The signal may come later than the column says; here it comes at once, or only what activities found.
    if (!pause || this.pick(2) === 0) this.sim.send({ type: pause ? 'pause' : 'resume' });
  }

  private cancel(): void {
    this.control = 'cancel';
    if (this.pick(2) === 0) this.sim.send({ type: 'cancel' });
  }

  /** Moves a run with nothing in flight: a person, the clock, or the next run of the workflow. */
  private unblock(): void {
    const { sim } = this;
    if (sim.draining) return sim.continueAsNew();
    const nodes = Object.values(sim.state.nodes);
    const gate = nodes.find((node) => node.gate);
    const attention = nodes.find((node) => node.attention);
    const choice = this.pick(3);
    if (sim.state.paused || this.control === 'pause') {
      this.control = 'run';
      return sim.send({ type: 'resume' });
    }
    if (this.control === 'cancel') return sim.send({ type: 'cancel' });
    if (gate)
      return sim.decide(
        gate.path,
        choice === 1 ? 'rejected' : 'approved',
        choice === 2 ? { edits: { edited: true } } : {},
      );
    if (attention)
      return sim.send({
        type: 'resolve',
        path: attention.path,
        outcome: (['repeat', 'done', 'not_done'] as const)[choice] ?? 'repeat',
      });
    const timer = sim.of('timer')[0];
    if (timer) return this.fire(timer.id, timer.at);
    throw new Error(
      `stuck: ${JSON.stringify({ nodes: sim.state.nodes, ready: sim.state.ready, frames: sim.state.frames })}`,
    );
  }

  private fire(id: string, at: number): void {
    this.sim.now = Math.max(this.sim.now, at);
    this.sim.send({ type: 'timer', id });
  }

  private async answer(command: Open): Promise<void> {
    this.sim.now += 1 + this.pick(1000);
    switch (command.kind) {
      case 'timer':
        return this.fire(command.id, command.at);
      case 'run':
        return this.carryOut(command);
      case 'child':
        return this.child(command);
      default:
        if (this.sim.cancelled.has(command.id) || this.chance(25, this.weather.failures)) {
          return this.sim.send({ type: 'broken', id: command.id, error: { ...BROKEN, code: 'blob_not_found' } });
        }
        return this.sim.answer(command);
    }
  }

  private child(command: ChildCommand): void {
    const { id } = command;
    const open = this.sim.state.open[id];
    const cancelled = this.sim.cancelled.has(id);
    if (!cancelled && this.pick(2) === 0 && open) this.sim.send({ type: 'child_started', id, runId: `child-${id}` });
    const status = cancelled
      ? 'cancelled'
      : (['complete', 'partial', 'failed', 'cancelled'] as const)[this.weather.failures ? this.pick(4) : 0];
    this.sim.send({
      type: 'child_closed',
      id,
      status: status ?? 'complete',
      output: { value: { runId: 'child', status: status ?? 'complete' } },
    });
  }

  private async carryOut(command: RunCommand): Promise<void> {
    const { id, units, queue } = command;
    if (this.sim.cancelled.has(id) && this.pick(2) === 0) return this.sim.send({ type: 'outcomes', id, outcomes: [] });
    const dies = this.chance(4, this.weather.losses) ? this.pick(units.length) : -1;
    const outcomes: UnitOutcome[] = [];
    const local = new Map<string, StoredValue>();
    for (const [at, unit] of units.entries()) {
      const known = this.recorded.get(unit.effectKey);
      if (known?.ok === undefined && known?.failed.has(unit.tryNo) !== true && this.control !== 'run') {
        return this.report(id, outcomes, this.control);
      }
      if (at === dies) return this.lose(id, unit, queue);
      const outcome = await this.unit(unit, local);
      outcomes.push(outcome);
      if (outcome.status !== 'ok') break;
      local.set(unit.key, outcome.output ?? { value: null });
    }
    this.report(id, outcomes);
  }

  private report(id: string, outcomes: UnitOutcome[], held?: 'pause' | 'cancel'): void {
    this.sim.send(held === undefined ? { type: 'outcomes', id, outcomes } : { type: 'outcomes', id, outcomes, held });
    for (const outcome of outcomes) if (outcome.status === 'ok') this.seen.recordedOk.push(outcome.path);
  }

  private lose(id: string, unit: UnitCall, queue: RunCommand['queue']): void {
    const lost = (this.losses.get(unit.path) ?? 0) + 1;
    this.losses.set(unit.path, lost);
    if (queue !== 'quarantine' && lost < 2 && this.pick(2) === 0) return;
    const reason = queue === 'quarantine' ? 'worker_lost' : 'quarantine';
    this.sim.send({ type: 'lost', id, path: unit.path, reason, message: 'workers died' });
  }

  private async unit(unit: UnitCall, local: Map<string, StoredValue>): Promise<UnitOutcome> {
    const { path, effectKey, tryNo } = unit;
    const known = this.recorded.get(effectKey) ?? { failed: new Set<number>() };
    this.recorded.set(effectKey, known);
    if (known.ok) return { path, status: 'ok', output: known.ok };
    if (known.failed.has(tryNo)) return { path, status: 'failed', error: BROKEN };
    await this.checkInputs(unit, local);
    const wait = this.readPage(unit);
    if (wait) return { path, status: 'waiting', wait };
    const luck = this.weather.failures ? this.pick(12) : 0;
    if (luck === 9) return { path, status: 'attention', error: { ...BROKEN, code: 'effect_outcome_unknown' } };
    const result = luck >= 10 ? undefined : await this.result(unit, local);
    if (result === undefined) {
      known.failed.add(tryNo);
      return { path, status: 'failed', error: { ...BROKEN, retryable: luck === 10 } };
    }
    this.performed.set(effectKey, (this.performed.get(effectKey) ?? 0) + 1);
    known.ok = await this.sim.values.offload(result, Math.min(unit.valueLimit, LARGE));
    return { path, status: 'ok', output: known.ok };
  }

  /** The next page, and a wait behind it or none. A call that lost its place would read a page twice. */
  private readPage(unit: UnitCall): SourceWaitFacts | undefined {
    if (!this.weather.waits || !['slow', 'quick'].includes(unit.action)) return undefined;
    const key = `${unit.effectKey}#${unit.tryNo}`;
    const read = this.pages.get(key) ?? 0;
    const from = unit.resume?.value ?? 0;
    if (from !== read) throw new Error(`${key} goes on at page ${jsonText(from)}, but ${read} were read`);
    if (this.pick(5) < 4) return undefined;
    this.pages.set(key, read + 1);
    const until = this.sim.now + this.pick(60_000);
    return { until, reason: 'rate_limited', source: 'https://api.example', spentMs: 1, resume: { value: read + 1 } };
  }

  /** Checks that a step reads what the step before left, in every order of events. */
  private async checkInputs(unit: UnitCall, local: Map<string, StoredValue>): Promise<void> {
    if (unit.path.includes('~') || unit.action === 'transform_data' || unit.action === '$output') return;
    const { renderedInput: inputs } = await renderUnit(unit, local, this.sim.values);
    const { before, prefix } = expectedBefore(this.made, unit.path);
    const ok = before !== undefined && (this.seen.ok.has(prefix + before) || [...local.keys()].includes(before));
    const expected = ok ? prefix + before : null;
    if (before !== undefined && inputs['p'] !== expected)
      throw new Error(`${unit.path} reads ${JSON.stringify(inputs['p'])} instead of ${String(expected)}`);
    if (inputs['index'] === undefined) return;
    const list = `/${unit.path}`.split('/').find((part) => part.startsWith(`${jsonText(inputs['of'])}[`));
    const index = Number(list?.slice(list.indexOf('[') + 1, -1));
    if (inputs['index'] !== index || !jsonText(inputs['item']).endsWith(`#${index}`))
      throw new Error(`${unit.path} works on item ${JSON.stringify(inputs['item'])}`);
  }

  private async result(unit: UnitCall, local: Map<string, StoredValue>): Promise<Json | undefined> {
    const { path, action } = unit;
    if (action === 'transform_data') {
      const { renderedInput: inputs, params } = await renderUnit(unit, local, this.sim.values);
      const answer = pureActions['transform_data']?.(inputs, params);
      return answer?.ok ? answer.output : undefined;
    }
    if (action === 'research_model_call') return this.model(unit);
    const rows = Array.from({ length: 3 }, (_, at) => ({ id: `${path}#${at}`, pad: 'x'.repeat(900) }));
    return { v: path, n: this.pick(10), label: 'abc'[this.pick(3)] ?? 'a', rows };
  }

  private model(unit: UnitCall): Json {
    const final = field(unit.edits, 'final') === true;
    if (final || this.pick(3) === 0) return { message: 'done', done: true, result: { v: unit.path } };
    const calls = Array.from({ length: this.pick(3) }, (_, at) => ({
      id: `c${at}`,
      tool: ['quick', 'slow', 'evil'][this.pick(3)] ?? 'quick',
      inputs: { q: '{x}' },
    }));
    return { message: 'calls', done: false, tool_calls: calls };
  }
}
