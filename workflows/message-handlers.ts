import { ApplicationFailure, patched } from '@temporalio/workflow';
import type { Json } from '../core/base/json';
import type { EngineEvent } from '../core/engine/inbox';
import type { EngineState } from '../core/engine/state';
import type { ApprovalSignalInput, DecideInput, DecideResult, ResolveInput, SaidDecision } from './messages';
import type { SerialQueue } from './serial-queue';
import { local } from './proxies';
import { summarise, summaryText } from './progress';
import type { Carried, PlaybookRunInput, RunRef, SettledDecision } from './types';

/** Settles a decision together with the run's end, if only that follows. Undefined: other work follows. */
type SettleAtEnd = (decided: Required<DecideInput>) => Promise<SettledDecision> | undefined;

/**
 * Replay-sensitive. Handlers of a run's messages. A decision is stored as a row first. Here it is counted in one short
 * transaction; only a counted decision moves the run.
 */
export class MessageHandlers {
  private readonly decided: Carried['decided'];
  private signals: number;
  private working = 0;
  /** Approvals whose answer may not have reached the engine yet. */
  private readonly counted = new Set<string>();
  private readonly ref: RunRef;

  constructor(
    input: PlaybookRunInput,
    private readonly post: (event: EngineEvent) => void,
    private readonly state: () => EngineState,
    private readonly queue: SerialQueue,
    private readonly settleAtEnd: SettleAtEnd,
  ) {
    this.ref = { runId: input.runId, ownerId: input.ownerId, versionId: input.versionId };
    this.decided = input.carried?.decided ?? {};
    this.signals = input.carried?.signals ?? 0;
  }

  pause(): void {
    this.post({ type: 'pause' });
  }

  resume(): void {
    this.post({ type: 'resume' });
  }

  resolve(given: ResolveInput | null | undefined): void {
    if (isResolve(given)) this.post({ type: 'resolve', path: given.stepPath, outcome: given.outcome });
  }

  showState(): Json {
    return summarise(this.state());
  }

  showProgress(): string {
    return summaryText(this.state());
  }

  idle(): boolean {
    return this.working === 0;
  }

  carry(): { decided: Carried['decided']; signals: number } {
    return { decided: this.decided, signals: this.signals };
  }

  /** Refuses without a trace in the history what cannot count any more. Must stay synchronous. */
  check({ approvalId, decisionId }: DecideInput): void {
    if (this.decided[decisionId]) return;
    if (this.state().closing || this.state().finished) throw refusal('run_closed', 'The run is closed.');
    if (!this.isOpen(approvalId)) throw refusal('approval_already_decided', 'The approval is not open.');
  }

  private isOpen(approvalId: string): boolean {
    return Object.values(this.state().nodes).some((node) => node.gate?.approvalId === approvalId);
  }

  async decide({ approvalId, decisionId, said }: DecideInput): Promise<DecideResult> {
    const before = this.decided[decisionId];
    if (before) return before;
    this.working += 1;
    try {
      const settled = await this.queue.run(
        () =>
          (isSaid(said) ? this.settleAtEnd({ approvalId, decisionId, said }) : undefined) ??
          local.settle_decision({ ...this.ref, approvalId, decisionId }),
      );
      if (settled.state === 'unknown') throw refusal('decision_not_found', 'There is no such decision.');
      const answer =
        settled.code === undefined ? { state: settled.state } : { state: settled.state, code: settled.code };
      this.decided[decisionId] = answer;
      this.move(approvalId, settled);
      return answer;
    } finally {
      this.working -= 1;
    }
  }

  async signalled(signal: ApprovalSignalInput): Promise<void> {
    this.signals += 1;
    const ordinal = this.signals;
    if (!isDecision(signal) || !this.isOpen(signal.approvalId)) return;
    this.working += 1;
    try {
      await this.queue.run(() => this.settleSignal(signal, ordinal));
    } finally {
      this.working -= 1;
    }
  }

  /** Waits for its turn: after a decision that counted, many more signals cost nothing. */
  private async settleSignal(
    { approvalId, decision, instructions }: ApprovalSignalInput,
    ordinal: number,
  ): Promise<void> {
    if (this.counted.has(approvalId)) return;
    const request = { ...this.ref, approvalId, ordinal, decision };
    this.move(
      approvalId,
      await local.signal_decision(instructions === undefined ? request : { ...request, instructions }),
    );
  }

  move(approvalId: string, settled: SettledDecision): void {
    if (settled.earlier) return this.move(approvalId, settled.earlier);
    if (settled.state !== 'counted' || !settled.decision) return;
    this.counted.add(approvalId);
    const { decision, instructions, edits, decided_by, via, at } = settled;
    this.post({
      type: 'gate',
      approvalId,
      answer: {
        decision,
        ...(instructions === undefined ? {} : { instructions }),
        ...(edits === undefined ? {} : { edits }),
        ...(decided_by === undefined ? {} : { decided_by }),
        ...(via === undefined ? {} : { via }),
        ...(at === undefined ? {} : { at }),
      },
    });
  }
}

/** Checks a message, because anybody with access to Temporal can send any. */
function isDecision(signal: ApprovalSignalInput | null | undefined): signal is ApprovalSignalInput {
  return typeof signal?.approvalId === 'string' && isAnswer(signal.decision);
}

function isSaid(said: SaidDecision | null | undefined): said is SaidDecision {
  const { decision = '', decided_by: by, via, at, instructions = '' } = said ?? {};
  return isAnswer(decision) && [by, via, at, instructions].every((each) => typeof each === 'string');
}

function isAnswer(decision: string): boolean {
  return decision === 'approve' || decision === 'reject';
}

const OUTCOMES: readonly string[] = ['done', 'not_done', 'repeat'] satisfies ResolveInput['outcome'][];

/** An unknown outcome resolves nothing. Runs that once took it for `not_done` keep that rule. */
function isResolve(given: ResolveInput | null | undefined): given is ResolveInput {
  if (typeof given?.stepPath !== 'string') return false;
  return OUTCOMES.includes(given.outcome) || !patched('resolve-outcomes');
}

function refusal(code: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message, nonRetryable: true });
}
