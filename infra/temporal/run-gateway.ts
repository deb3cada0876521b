import { setTimeout as sleep } from 'node:timers/promises';
import {
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  type Client,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { status as grpc } from '@grpc/grpc-js';
import { isTerminal } from '../../core/base/run-status';
import { AppError } from '../../core/errors/app-error';
import type { DecideInput, DecideResult, ResolveInput, SaidDecision } from '../../workflows/messages';
import type { PlaybookRunInput, RunSettings } from '../../workflows/types';
import { refuseInTransaction } from '../db/open-transaction';
import type { ApprovalsStore } from '../db/stores/approvals.store';
import type { DecisionsStore, DecisionRef, DecisionRow } from '../db/stores/decisions.store';
import type { PinnedConnectors } from '../db/stores/definition-types';
import type { PlaybooksStore } from '../db/stores/definitions.store';
import type { OpenRunsStore } from '../db/stores/open-runs.store';
import { OWNER_CAP, type RunRow } from '../db/stores/run-types';
import type { RunRetryStore } from '../db/stores/run-retry.store';
import { logRunStarted, type RunLog } from '../log/run-lines';
import { KeyedMutex } from './keyed-mutex';
import { OpenCalls } from './open-calls';
import { temporalReport, type TemporalReport } from './queue-report';
import { pinnedPlan } from './plan-to-run';
import { runInput, withRetry } from './run-input';
import { runStart, startWorkflow, workflowId, type RunStart } from './run-start';
import { ensureSearchAttributes } from './search-attributes';
import type { StartAnswer, WorkerStarts } from './worker-starts';

export type DeliveryAnswer = { state: 'counted' | 'refused'; code?: string } | { state: 'unanswered' };

interface DecisionCall {
  runId: string;
  approvalId: string;
  decisionId: string;
  deadlineMs: number;
  /** The row is counted already: only the run must be told. */
  counted?: boolean;
  /** The row as it came in a moment ago, while its request waited. */
  received?: DecisionRow;
}

export interface GatewayDeps {
  client: Client;
  runs: OpenRunsStore;
  playbooks: PlaybooksStore;
  connectors: PinnedConnectors;
  decisions: DecisionsStore;
  approvals: ApprovalsStore;
  retries: RunRetryStore;
  settings: Omit<RunSettings, 'searchAttributes'>;
  /** The worker of this machine, which starts runs with less work for the server. */
  starts?: Pick<WorkerStarts, 'start' | 'close'>;
  uiUrl?: string;
  log: RunLog;
}

const CALL_DEADLINE_MS = 5_000;
const REPEAT_MS = 100;

/** Access to Temporal: starts, signals and updates of runs. Throws `temporal_unavailable` when it does not answer. */
export class TemporalRunGateway {
  private attributes: Promise<boolean> | undefined;
  private readonly turns = new KeyedMutex();
  private answered: DecisionRef[] = [];
  private readonly calls = new OpenCalls();

  constructor(private readonly deps: GatewayDeps) {}

  /**
   * Starts the workflow of a run's row. A second start is refused by the server, and that is success. `held`: it has to
   * wait for its turn, and the sweeper starts it.
   */
  async startRun(runId: string, known?: RunRow): Promise<'started' | 'already_started' | 'held'> {
    const row = known ?? (await this.deps.runs.get(runId));
    if (!row || row.status !== 'pending') return 'already_started';
    if (row.status_code === OWNER_CAP) return 'held';
    const input = await this.inputOf(row);
    const start = runStart(row, input);
    const said = await this.startedByWorker(start);
    const answer = said === 'failed' ? await this.call(() => this.startOnce(start)) : said;
    if (answer === 'started') logRunStarted(this.deps.log, row);
    else {
      // Marked here alone: the first transition of a run that began marks it at no cost. A run that waits for a worker
      // is started once more by the sweeper, and marked here.
      await this.deps.runs.markWorkflowStarted(runId);
    }
    return answer;
  }

  private async startedByWorker(start: RunStart): Promise<StartAnswer> {
    const { starts } = this.deps;
    if (starts === undefined) return 'failed';
    refuseInTransaction('A call of Temporal');
    return this.calls.run(() => starts.start(start));
  }

  private async startOnce(start: RunStart): Promise<'started' | 'already_started'> {
    try {
      await startWorkflow(this.deps.client, start);
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already_started';
      throw error;
    }
  }

  private async inputOf(row: RunRow): Promise<PlaybookRunInput> {
    const version = await this.deps.playbooks.pinned(row);
    if (!version)
      throw new AppError('playbook_version_not_found', 'The pinned playbook version is gone.', {
        category: 'internal',
      });
    const settings = { ...this.deps.settings, searchAttributes: await this.searchable() };
    const plan = await pinnedPlan(this.deps.connectors, row, version, {});
    const input = runInput(row, plan, settings);
    if (row.retry_of === null) return input;
    return withRetry(input, await this.deps.retries.carried(row.id));
  }

  private async searchable(): Promise<boolean> {
    this.attributes ??= this.call(() => ensureSearchAttributes(this.deps.client));
    try {
      return await this.attributes;
    } catch (error) {
      this.attributes = undefined;
      throw error;
    }
  }

  /**
   * Delivers a received decision to its run and waits for the outcome, at most until the deadline. Decisions on one
   * approval go one after the other: the first one that counts answers the rest without a message to the run.
   */
  async decideApproval(decision: DecisionCall): Promise<DeliveryAnswer> {
    const deadline = Date.now() + decision.deadlineMs;
    return this.turns.run(decision.approvalId, (waited) => {
      const open = decision.counted === true || (decision.received !== undefined && !waited);
      return this.decideInTurn(decision, open, deadline);
    });
  }

  /** Decisions that runs answered since the last call: an answer is given when it is in the run's history. */
  takeAnswered(): DecisionRef[] {
    const answered = this.answered;
    this.answered = [];
    return answered;
  }

  private async decideInTurn(decision: DecisionCall, open: boolean, deadline: number): Promise<DeliveryAnswer> {
    if (Date.now() >= deadline) return { state: 'unanswered' };
    if (!open && !(await this.deps.approvals.isWaiting(decision.approvalId))) {
      return this.refused(decision.approvalId, decision.decisionId, 'approval_already_decided');
    }
    for (;;) {
      const answer = await this.tryDecide(decision, deadline);
      if (answer !== 'repeat') return answer;
      if (Date.now() + REPEAT_MS >= deadline) return { state: 'unanswered' };
      await sleep(REPEAT_MS);
    }
  }

  private async tryDecide(
    { runId, approvalId, decisionId, received }: DecisionCall,
    deadline: number,
  ): Promise<DeliveryAnswer | 'repeat'> {
    const said = received && saidBy(received);
    const handle = this.deps.client.workflow.getHandle(workflowId(runId));
    try {
      const update = () =>
        handle.executeUpdate<DecideResult, [DecideInput]>('decideApproval', {
          updateId: decisionId,
          args: [{ approvalId, decisionId, ...(said && { said }) }],
        });
      const answer = await this.calls.run(() => this.deps.client.connection.withDeadline(deadline, update));
      this.answered.push({ approval_id: approvalId, decision_id: decisionId });
      return answer;
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError) return this.rejected(error, approvalId, decisionId);
      if (error instanceof WorkflowNotFoundError || codeOf(error) === grpc.NOT_FOUND)
        return this.gone(runId, approvalId, decisionId);
      return codeOf(error) === grpc.RESOURCE_EXHAUSTED ? 'repeat' : { state: 'unanswered' };
    }
  }

  /**
   * A run that was reset, or whose workflow task was lost, is behind its rows for a moment and does not know its gate yet.
   * Nobody has decided there: the decision is delivered until it counts.
   */
  private async rejected(
    { cause }: WorkflowUpdateFailedError,
    approvalId: string,
    decisionId: string,
  ): Promise<DeliveryAnswer> {
    const notOpen = cause instanceof ApplicationFailure && cause.type === 'approval_already_decided';
    if (notOpen && (await this.deps.approvals.isWaiting(approvalId))) return { state: 'unanswered' };
    return this.refused(approvalId, decisionId, 'approval_already_decided');
  }

  /** The run refused the decision without looking at it: the row is settled, so that everybody sees why. */
  private async refused(approvalId: string, decisionId: string, refuse: string): Promise<DeliveryAnswer> {
    const outcome = await this.deps.decisions.count(approvalId, decisionId, { refuse });
    if (!outcome || outcome.state === 'received') return { state: 'unanswered' };
    return outcome.code === null ? { state: outcome.state } : { state: outcome.state, code: outcome.code };
  }

  private async gone(runId: string, approvalId: string, decisionId: string): Promise<DeliveryAnswer> {
    const row = await this.deps.runs.get(runId);
    return row && isTerminal(row.status) ? this.refused(approvalId, decisionId, 'run_closed') : { state: 'unanswered' };
  }

  async cancelRun(runId: string): Promise<void> {
    await this.onWorkflow(() => this.deps.client.workflow.getHandle(workflowId(runId)).cancel());
  }

  async pauseRun(runId: string): Promise<void> {
    await this.onWorkflow(() => this.deps.client.workflow.getHandle(workflowId(runId)).signal('pause'));
  }

  async resumeRun(runId: string): Promise<void> {
    await this.onWorkflow(() => this.deps.client.workflow.getHandle(workflowId(runId)).signal('resume'));
  }

  async resolveStep({ runId, stepPath, outcome }: ResolveInput & { runId: string }): Promise<void> {
    const input: ResolveInput = { stepPath, outcome };
    await this.onWorkflow(() => this.deps.client.workflow.getHandle(workflowId(runId)).signal('resolve', input));
  }

  async ready(): Promise<boolean> {
    try {
      await this.call(() => this.deps.client.connection.workflowService.getSystemInfo({}));
      return true;
    } catch {
      return false;
    }
  }

  /** Pollers of the queues of this installation. */
  async report(): Promise<TemporalReport> {
    return this.call(() => temporalReport(this.deps.client, this.deps.settings.queuePrefix));
  }

  uiLink(runId: string): string | undefined {
    const { uiUrl, client } = this.deps;
    return uiUrl === undefined
      ? undefined
      : `${uiUrl}/namespaces/${client.options.namespace}/workflows/${workflowId(runId)}`;
  }

  /**
   * Closes the connection when the last call has ended, at its deadline at the latest: a repeat that the SDK has planned for
   * a call that failed would throw into nowhere on a closed one.
   */
  async close(): Promise<void> {
    await this.calls.settled();
    this.deps.starts?.close();
    await this.deps.client.connection.close();
  }

  /** A workflow that does not exist (not started yet, or closed) cannot be told: its row has the fact. */
  private async onWorkflow(send: () => Promise<unknown>): Promise<void> {
    try {
      await this.call(send);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError || codeOf(error) === grpc.NOT_FOUND) return;
      throw error;
    }
  }

  private async call<T>(send: () => Promise<T>): Promise<T> {
    refuseInTransaction('A call of Temporal');
    try {
      const { connection } = this.deps.client;
      return await this.calls.run(() => connection.withDeadline(Date.now() + CALL_DEADLINE_MS, send));
    } catch (error) {
      const code = codeOf(error);
      if (code === grpc.UNAVAILABLE || code === grpc.DEADLINE_EXCEEDED || code === grpc.CANCELLED) {
        throw new AppError('temporal_unavailable', 'Temporal does not answer.', {
          category: 'unavailable',
          retryable: true,
          cause: error,
        });
      }
      throw error;
    }
  }
}

/** Decision for the run; undefined if it has edits, which must be compared with the action first. */
function saidBy(row: DecisionRow): SaidDecision | undefined {
  const { decision, instructions, edits, actor, via, created_at: received } = row;
  if (edits !== null) return undefined;
  const said = { decision, decided_by: actor, via, at: new Date(received).toISOString() };
  return instructions === null ? said : { ...said, instructions };
}

export function codeOf(error: unknown): grpc | undefined {
  if (isGrpcServiceError(error)) return error.code;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined || cause === error ? undefined : codeOf(cause);
}
