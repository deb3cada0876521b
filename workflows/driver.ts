import {
  condition,
  patched,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { Json } from '../core/base/json';
import { jsonSize } from '../core/base/json-size';
import { advance, hasChild, isDrained, resume, start, type AdvanceContext } from '../core/engine/advance';
import type { Advance, Command, FinishCommand } from '../core/engine/commands';
import type { EngineEvent } from '../core/engine/inbox';
import { INLINE_BUDGET, indexPlan, type PlanIndex } from '../core/engine/machine';
import type { EngineState } from '../core/engine/state';
import { CommandRunner } from './command-runner';
import { MessageHandlers } from './message-handlers';
import type { DecideInput } from './messages';
import { local } from './proxies';
import { SerialQueue } from './serial-queue';
import { Outbox } from './outbox';
import { decidedEnd, gateEventOf, type DecidedEnd } from './decided-end';
import { endOf, finishRun, resultOf } from './finish';
import { progressText } from './progress';
import type { PlaybookRunInput, PlaybookRunResult, SettledDecision } from './types';

const STATUS = defineSearchAttributeKey('AfStatus', 'KEYWORD');

/**
 * One workflow task carries at most 50 commands and about 1 MB: the server ends a run that sends more. A few commands
 * are left for the timer that ends the slice, a flush, an update's answer.
 */
const SLICE_COMMANDS = 45;
const SLICE_BYTES = 1_000_000;
/** Size above which the payload is stored outside and only its address is sent. */
const PAYLOAD_BYTES = 32_768;
const FLUSH_EVENTS = 200;
/** Events that come with a workflow task of their own, because the server gets them from elsewhere. */
const ANSWERS: ReadonlySet<EngineEvent['type']> = new Set(['outcomes', 'loaded', 'stored', 'child_started']);

export type DriverEnd = { kind: 'finished'; result: PlaybookRunResult } | { kind: 'continue'; input: PlaybookRunInput };

/**
 * Replay-sensitive. The loop around the engine: events in, commands out. It decides nothing about the run;
 * it only knows how things are done on Temporal.
 */
export class RunDriver {
  private readonly index: PlanIndex;
  private readonly inbox: EngineEvent[] = [];
  private readonly queue = new SerialQueue();
  private readonly outbox = new Outbox(this.queue);
  private readonly runner: CommandRunner;
  readonly messages: MessageHandlers;
  private opening: Advance | undefined;
  private state: EngineState;
  private finish: FinishCommand | undefined;
  /** The run has ended together with a decision. */
  private ended: PlaybookRunResult | undefined;
  private pending: Command[] = [];
  private shownStatus = 'running';
  private budget = INLINE_BUDGET;
  private budgetOf = 0;
  private answers = 0;

  constructor(private readonly input: PlaybookRunInput) {
    this.index = indexPlan(input.plan);
    this.budgetOf = workflowInfo().historyLength;
    const begun = this.begin();
    this.state = begun.state;
    this.runner = new CommandRunner({
      input,
      outbox: this.outbox,
      queue: this.queue,
      post: (event) => this.post(event),
      state: () => this.state,
      decided: (approvalId, decision) => this.messages.move(approvalId, decision),
    });
    this.messages = new MessageHandlers(
      input,
      (event) => this.post(event),
      () => this.state,
      this.queue,
      (decided) => this.settleAtEnd(decided),
    );
    this.opening = begun.advance;
  }

  /** Carries out the engine's first commands, after the message handlers are registered: messages may have come before. */
  open(): void {
    if (this.opening) this.take(this.opening);
    this.opening = undefined;
  }

  post(event: EngineEvent): void {
    this.inbox.push(event);
    if (ANSWERS.has(event.type)) this.answers += 1;
  }

  async run(): Promise<DriverEnd> {
    for (;;) {
      if (this.ended) return { kind: 'finished', result: this.ended };
      this.takeInbox();
      while (this.dispatchPending()) if (await this.nextTask()) this.takeInbox();
      if (this.outbox.size() > FLUSH_EVENTS && !this.finish) await this.flush();
      // An approval without a request (`auto_approve`) is a row too.
      if (this.finish && this.outbox.hasApprovals()) await this.flush();
      if (this.finish)
        return { kind: 'finished', result: await finishRun(this.input, this.finish, this.outbox, this.queue) };
      if (this.inbox.length > 0) continue;
      if (this.outbox.mustFlush()) {
        await this.flush();
        continue;
      }
      if (this.isOrphaned()) {
        this.post({ type: 'cancel' });
        continue;
      }
      if (this.maySplit()) return this.continued();
      await condition(() => this.inbox.length > 0 || this.ended !== undefined || this.isOrphaned() || this.maySplit());
    }
  }

  /** Settles in its turn of the queue: no other local activity is under way. */
  private settleAtEnd({ said, ...decided }: Required<DecideInput>): Promise<SettledDecision> | undefined {
    if (this.finish || this.inbox.length > 0 || this.pending.length > 0 || this.outbox.hasApprovals()) return undefined;
    const gate = { approvalId: decided.approvalId, answer: gateEventOf(said) };
    const end = decidedEnd(this.index, this.state, gate, this.context());
    return end && this.settleAndFinish({ ...decided, said }, end);
  }

  private async settleAndFinish(decided: Required<DecideInput>, end: DecidedEnd): Promise<SettledDecision> {
    const { finish, result } = end;
    const before = this.outbox.takeAll();
    const { patch } = result;
    let answer;
    try {
      answer = await local.settle_and_finish({
        ...endOf(this.input, finish),
        ...decided,
        transitions: { ...before, events: [...before.events, ...result.events], ...(patch && { patch }) },
        outputs: finish.outputs,
      });
    } catch (error) {
      this.outbox.giveBack(before);
      throw error;
    }
    const { settled, status } = answer;
    if (status === undefined) {
      this.outbox.giveBack(before);
      return settled;
    }
    this.state = end.state;
    if (patch) this.show(patch.status);
    this.ended = resultOf(this.input, finish, status, finish.outputs);
    return settled;
  }

  private takeInbox(): void {
    while (this.inbox.length > 0) this.take(this.step(this.inbox.shift() as EngineEvent));
  }

  /**
   * The rest goes out with the next workflow task, whatever brings it: the first answer to what is out already, or a timer,
   * which many servers fire no sooner than after a second. Gives whether answers are heard between two slices: a run that
   * knows the older rule waits for timers alone.
   */
  private async nextTask(): Promise<boolean> {
    if (!patched('slices-by-answers')) {
      await sleep(1);
      return false;
    }
    const { answers } = this;
    await condition(() => this.answers !== answers, 1);
    return true;
  }

  /**
   * Needed in a run that an operator reset or that continued: its requests may be decided already, and no decision is
   * sent twice.
   */
  private async flush(): Promise<void> {
    const { runId, firstExecutionRunId } = workflowInfo();
    const when = { again: runId !== firstExecutionRunId, ends: this.finish !== undefined };
    for (const decision of await this.outbox.flush(this.input, when)) await this.messages.decide(decision);
  }

  private maySplit(): boolean {
    return this.tooLong() && isDrained(this.state) && this.isIdle();
  }

  /** True if an operator reset a run whose row has ended: its requests are not shown, so nobody can answer them. */
  private isOrphaned(): boolean {
    return this.outbox.rowIsClosed() && this.state.closing === undefined && this.isIdle();
  }

  private isIdle(): boolean {
    return this.queue.idle() && this.messages.idle();
  }

  private begin(): { state: EngineState; advance: Advance } {
    const { input } = this;
    if (input.carried) {
      const { state } = input.carried;
      return { state, advance: resume(this.index, state, Date.now(), patched) };
    }
    const facts = {
      runId: input.runId,
      playbook: input.plan.playbook.id,
      clock: input.clock,
      inputs: input.inputs,
      approvalPolicy: input.approvalPolicy,
      presets: input.presets ?? {},
      overrides: input.overrides ?? {},
      traits: input.traits,
      ...(input.effectRoot === undefined ? {} : { effectRoot: input.effectRoot }),
      ...(input.lacks === undefined ? {} : { lacks: input.lacks }),
      ...(input.edited === undefined ? {} : { edited: input.edited }),
      ...(input.callerReads === undefined ? {} : { callerReads: input.callerReads }),
      ...(input.effectKeys === undefined ? {} : { effectKeys: input.effectKeys }),
    };
    const run = input.query === undefined ? facts : { ...facts, query: input.query };
    const begun = start(this.index, run, Date.now(), { newer: patched, paused: input.paused === true });
    return { state: begun.state, advance: begun };
  }

  private step(event: EngineEvent): Advance {
    return advance(this.index, this.state, event, { ...this.context(), budget: this.inlineBudget(event) });
  }

  private context(): AdvanceContext {
    return { now: Date.now(), draining: this.tooLong() && !hasChild(this.state), newer: patched };
  }

  /** Many events may arrive in one workflow task; together they get one budget of inline work, and another after each pause. */
  private inlineBudget(event: EngineEvent): number {
    const { historyLength } = workflowInfo();
    if (historyLength !== this.budgetOf || this.endsPause(event)) this.budget = INLINE_BUDGET;
    this.budgetOf = historyLength;
    return this.budget;
  }

  private endsPause(event: EngineEvent): boolean {
    const open = event.type === 'timer' ? this.state.open[event.id] : undefined;
    return open?.kind === 'timer' && open.purpose === 'yield' && patched('local-turns');
  }

  private take(result: Advance): void {
    this.budget = result.inlineBudget;
    this.outbox.add(result.events, result.patch);
    this.pending.push(...result.commands);
    if (result.patch) this.show(result.patch.status);
  }

  /** Operators see the status in lists and a readable text on the run's page. */
  private show(status: string): void {
    setCurrentDetails(progressText(this.index, this.state, status));
    if (!this.input.settings.searchAttributes || status === this.shownStatus) return;
    this.shownStatus = status;
    upsertSearchAttributes([{ key: STATUS, value: status }]);
  }

  /** Hands commands out, a slice for each workflow task; true when there are more. */
  private dispatchPending(): boolean {
    let count = 0;
    let bytes = 0;
    while (this.pending.length > 0) {
      const command = this.pending.shift() as Command;
      if (command.kind === 'finish') this.finish = command;
      else if (command.kind === 'approval') this.outbox.addApproval(command.approval);
      else this.runner.dispatch(command);
      if (command.kind === 'finish' || command.kind === 'approval') continue;
      count += 1;
      bytes += Math.min(jsonSize(command as unknown as Json, PAYLOAD_BYTES), PAYLOAD_BYTES) + 500;
      if (this.pending.length > 0 && (count >= SLICE_COMMANDS || bytes >= SLICE_BYTES)) return true;
    }
    return false;
  }

  private tooLong(): boolean {
    const info = workflowInfo();
    return info.continueAsNewSuggested || info.historyLength >= this.input.settings.continueAsNewEvents;
  }

  private continued(): DriverEnd {
    const carried = { state: this.state, ...this.messages.carry() };
    return { kind: 'continue', input: { ...this.input, carried } };
  }
}
