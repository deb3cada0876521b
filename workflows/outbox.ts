import type { ApprovalRequest, RunEvent, StatusPatch } from '../core/engine/commands';
import type { DecideInput } from './messages';
import type { SerialQueue } from './serial-queue';
import { local } from './proxies';
import type { RunRef, Transitions } from './types';

/**
 * Replay-sensitive. The engine's transitions on their way to the log. They travel with the next activity, or in one
 * short local activity before a wait and at the end. What travelled with an activity that never reported back is
 * sent again: the log ignores repeats.
 */
export class Outbox {
  constructor(private readonly queue: SerialQueue) {}

  private events: RunEvent[] = [];
  private patch: StatusPatch | undefined;
  private approvals: ApprovalRequest[] = [];
  private closed = false;

  add(events: RunEvent[], patch: StatusPatch | undefined): void {
    this.events.push(...events);
    if (patch && (!this.patch || this.patch.no < patch.no)) this.patch = patch;
  }

  addApproval(approval: ApprovalRequest): void {
    this.approvals.push(approval);
  }

  size(): number {
    return this.events.length;
  }

  mustFlush(): boolean {
    return this.events.length > 0 || this.patch !== undefined || this.approvals.length > 0;
  }

  /** An approval must be visible before anybody can answer it: it does not wait for an activity to begin. */
  hasApprovals(): boolean {
    return this.approvals.length > 0;
  }

  /** True if the run's row has ended already: nobody can answer open requests. */
  rowIsClosed(): boolean {
    return this.closed;
  }

  takeAll(): Transitions {
    const taken: Transitions = { events: this.events, approvals: this.approvals };
    if (this.patch) taken.patch = this.patch;
    this.events = [];
    this.patch = undefined;
    this.approvals = [];
    return taken;
  }

  /** Takes what comes before the run's end: the end brings its own event and status. */
  private takeBeforeEnd(): Transitions {
    const isEnd = ({ type }: RunEvent): boolean => type === 'complete';
    const taken: Transitions = { events: this.events.filter((event) => !isEnd(event)), approvals: this.approvals };
    this.events = this.events.filter(isEnd);
    this.approvals = [];
    return taken;
  }

  /** The activity that carried them gave no sign that it recorded them. */
  giveBack(taken: Transitions): void {
    this.events.unshift(...taken.events);
    this.approvals.unshift(...taken.approvals);
    this.patch ??= taken.patch;
  }

  /** `again`: the run may ask for what was decided before. `ends`: its end goes out next. Gives those decisions. */
  async flush(ref: RunRef, { again, ends }: { again: boolean; ends: boolean }): Promise<DecideInput[]> {
    const { runId, ownerId, versionId } = ref;
    const answer = await this.queue.run(() => {
      const transitions = ends ? this.takeBeforeEnd() : this.takeAll();
      const request = { runId, ownerId, versionId, transitions };
      return local.record_transition(again ? { ...request, again } : request);
    });
    if (answer?.closed === true) this.closed = true;
    return answer?.decided ?? [];
  }
}
