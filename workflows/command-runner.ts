import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  isCancellation,
  patched,
  ParentClosePolicy,
  sleep,
  startChild,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import { unpackShared } from '../core/base/shared-json';
import type {
  ChildCommand,
  Command,
  LoadCommand,
  RunCommand,
  StoreCommand,
  TimerCommand,
} from '../core/engine/commands';
import type { EngineEvent, UnitOutcome } from '../core/engine/inbox';
import type { EngineState } from '../core/engine/state';
import type { StepError } from '../core/errors/app-error';
import { childEvent, closedChild } from './children';
import type { SerialQueue } from './serial-queue';
import type { Outbox } from './outbox';
import { lifecycle, local, runUnits } from './proxies';
import type { PlaybookRunInput, RunRef, SettledDecision, StepsAnswer } from './types';

/** Pieces of inline work in one workflow task: a message waits for no more of them. */
const MOST_TURNS = 16;

type Post = (event: EngineEvent) => void;

export interface RunnerParts {
  input: PlaybookRunInput;
  outbox: Outbox;
  queue: SerialQueue;
  post: Post;
  state: () => EngineState;
  /** A decision was counted beside the message that carries it. */
  decided: (approvalId: string, decision: SettledDecision) => void;
}

/** Replay-sensitive. Carries single commands out and posts their answers. */
export class CommandRunner {
  private readonly scopes = new Map<string, CancellationScope>();
  /** Pieces of inline work in this workflow task, and the length of the history at its beginning. */
  private turns = 0;
  private turnsOf = 0;
  private readonly ref: RunRef;

  private readonly input: PlaybookRunInput;
  private readonly outbox: Outbox;
  private readonly post: Post;

  constructor(private readonly parts: RunnerParts) {
    const { input } = parts;
    this.input = input;
    this.outbox = parts.outbox;
    this.post = parts.post;
    this.ref = { runId: input.runId, ownerId: input.ownerId, versionId: input.versionId };
  }

  dispatch(command: Exclude<Command, { kind: 'approval' | 'finish' }>): void {
    if (command.kind === 'cancel') {
      this.scopes.get(command.id)?.cancel();
      return;
    }
    const scope = new CancellationScope();
    this.scopes.set(command.id, scope);
    const ended = (): boolean => this.scopes.delete(command.id);
    // One promise: the sandbox takes a stack trace of each.
    scope
      .run(() => this.work(command))
      .then(ended, (error: unknown) => {
        ended();
        this.failed(command, error);
      });
  }

  private work(command: RunCommand | TimerCommand | ChildCommand | LoadCommand | StoreCommand): Promise<void> {
    switch (command.kind) {
      case 'run':
        return this.units(command);
      case 'timer':
        return this.timer(command);
      case 'child':
        return this.child(command);
      case 'load':
        return this.load(command);
      case 'store':
        return this.store(command);
    }
  }

  private async units(command: RunCommand): Promise<void> {
    const { clock, connectors, plan, settings } = this.input;
    const transitions = this.outbox.hasApprovals() ? { events: [], approvals: [] } : this.outbox.takeAll();
    const { queue, units } = command;
    try {
      const result = await runUnits(
        settings,
        command,
      )({
        ...this.ref,
        units,
        queue,
        clock,
        connectors,
        playbook: plan.playbook.id,
        ...this.mode(),
        transitions,
        ...(units.length > 1 ? { packs: true } : {}),
      });
      const answer = { type: 'outcomes' as const, id: command.id, outcomes: outcomesOf(result) };
      this.post(result.held ? { ...answer, held: result.held } : answer);
    } catch (error) {
      this.outbox.giveBack(transitions);
      throw error;
    }
  }

  /** The time of a gate is over only if nothing was received in time: the database decides that. */
  private async timer(command: TimerCommand): Promise<void> {
    if (this.takesTurn(command.id)) {
      await local.next_turn();
      return this.post({ type: 'timer', id: command.id });
    }
    await sleep(Math.max(1, command.at - Date.now()), { summary: command.summary.slice(0, 200) });
    const { open, nodes } = this.parts.state();
    const timer = open[command.id];
    if (timer?.kind === 'timer' && (timer.purpose === 'remind' || timer.purpose === 'escalate'))
      return this.nudge(command.id, timer.purpose, nodes[timer.path]?.gate?.approvalId);
    const gate = timer?.kind === 'timer' && timer.purpose === 'gate' ? nodes[timer.path]?.gate : undefined;
    if (gate && !(await this.expires(gate.approvalId))) return;
    this.post({ type: 'timer', id: command.id });
  }

  /**
   * A pause between two pieces of inline work needs no timer, which many servers fire no sooner than after a second: the
   * answer of a local activity begins the next piece. From time to time a timer lets the server's messages in.
   */
  private takesTurn(id: string): boolean {
    const timer = this.parts.state().open[id];
    if (timer?.kind !== 'timer' || timer.purpose !== 'yield' || !patched('local-turns')) return false;
    const { historyLength } = workflowInfo();
    this.turns = historyLength === this.turnsOf ? this.turns + 1 : 1;
    this.turnsOf = historyLength;
    return this.turns <= MOST_TURNS;
  }

  private async expires(approvalId: string): Promise<boolean> {
    for (;;) {
      const answer = await this.parts.queue.run(() => local.expire_approval({ ...this.ref, approvalId }));
      if (typeof answer === 'boolean') return answer;
      if ('decided' in answer) this.parts.decided(approvalId, answer.decided);
      else if ('cancelled' in answer) this.post({ type: 'cancel' });
      if (!('wait_ms' in answer)) return false;
      // Two clocks: the request's own is the database's.
      await sleep(Math.max(1, answer.wait_ms));
    }
  }

  /** Reminders and escalations are rows and events: the engine only drops the timer. */
  private async nudge(id: string, kind: 'remind' | 'escalate', approvalId: string | undefined): Promise<void> {
    if (approvalId !== undefined)
      await this.parts.queue.run(() => local.nudge_approval({ ...this.ref, approvalId, kind }));
    this.post({ type: 'timer', id });
  }

  private async load({ kind: _kind, id, summary, ...what }: LoadCommand): Promise<void> {
    const loaded = await lifecycle(this.input.settings, summary).load_values({ ...this.ref, ...what });
    this.post({ type: 'loaded', id, ...loaded });
  }

  private async store(command: StoreCommand): Promise<void> {
    const stored = await lifecycle(this.input.settings, command.summary).store_results({
      ...this.ref,
      parts: command.parts,
    });
    this.post({ type: 'stored', id: command.id, stored });
  }

  private mode(): { deterministic?: true } {
    return this.input.plan.execution_mode === 'deterministic' ? { deterministic: true } : {};
  }

  private async child(command: ChildCommand): Promise<void> {
    const { path, effectKey, playbook, inputs, refs, version, effectBehind, effectAfterStop } = command;
    const { repeats, overrides, lacks, edited, callerReads } = command;
    const transitions = this.outbox.hasApprovals() ? { events: [], approvals: [] } : this.outbox.takeAll();
    const { settings } = this.input;
    const call = {
      ...this.ref,
      path,
      effectKey,
      playbook,
      inputs,
      refs,
      effectBehind,
      ...(effectAfterStop === undefined ? {} : { effectAfterStop }),
      ...(repeats === undefined ? {} : { repeats }),
      ...(overrides === undefined ? {} : { overrides }),
      ...(lacks === undefined ? {} : { lacks }),
      ...(edited === undefined ? {} : { edited }),
      ...(callerReads === undefined ? {} : { callerReads }),
    };
    const request = { ...call, ...this.mode(), transitions, settings };
    const activities = lifecycle(settings, command.path);
    let created;
    try {
      created = await activities.create_child_run(version === undefined ? request : { ...request, version });
    } catch (error) {
      this.outbox.giveBack(transitions);
      throw error;
    }
    this.post({ type: 'child_started', id: command.id, runId: created.runId });
    if (created.closed || !created.start) {
      if (created.closed) this.post(await childEvent(this.input, command.id, created.closed));
      return;
    }
    const handle = await startChild('playbookRun', {
      workflowId: `run-${created.runId}`,
      args: [created.start.input],
      staticSummary: created.start.summary.slice(0, 200),
      ...(created.start.memo && { memo: created.start.memo }),
      ...(settings.searchAttributes ? { typedSearchAttributes: keywords(created.start.attributes) } : {}),
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    });
    this.post(await childEvent(this.input, command.id, await closedChild(created.runId, handle.result())));
  }

  private failed(command: Exclude<Command, { kind: 'approval' | 'finish' | 'cancel' }>, error: unknown): void {
    if (command.kind === 'timer') return;
    if (isCancellation(error)) {
      this.post(
        command.kind === 'run'
          ? { type: 'outcomes', id: command.id, outcomes: [] }
          : { type: 'broken', id: command.id, error: CANCELLED },
      );
      return;
    }
    const failure = error instanceof ActivityFailure ? error.cause : error;
    if (failure instanceof ApplicationFailure && (failure.type === 'quarantine' || failure.type === 'worker_lost')) {
      const named: unknown = failure.details?.[0];
      const path = typeof named === 'string' ? named : '';
      this.post({ type: 'lost', id: command.id, path, reason: failure.type, message: failure.message });
      return;
    }
    this.post({ type: 'broken', id: command.id, error: stepErrorOf(failure) });
  }
}

/** Unpacked, they share by reference what they shared where they were made. */
function outcomesOf(answer: StepsAnswer): UnitOutcome[] {
  if (!('packed' in answer)) return answer.outcomes;
  return Object.values(unpackShared(answer.packed).root as unknown as { [no: string]: UnitOutcome });
}

function keywords(attributes: { [name: string]: string }): SearchAttributePair[] {
  return Object.entries(attributes).map(([name, value]) => ({ key: defineSearchAttributeKey(name, 'KEYWORD'), value }));
}

const CANCELLED: StepError = {
  code: 'cancelled',
  message: 'The step was cancelled.',
  category: 'conflict',
  retryable: false,
};

function stepErrorOf(failure: unknown): StepError {
  if (failure instanceof ApplicationFailure) {
    return {
      code: failure.type ?? 'internal_error',
      message: failure.message,
      category: 'internal',
      retryable: failure.nonRetryable !== true,
    };
  }
  if (failure instanceof TimeoutFailure) {
    return { code: 'activity_timeout', message: failure.message, category: 'timeout', retryable: true };
  }
  return {
    code: 'internal_error',
    message: failure instanceof Error ? failure.message : 'unknown',
    category: 'internal',
    retryable: false,
  };
}
