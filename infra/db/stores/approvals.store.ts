import type { Json, JsonObject } from '../../../core/base/json';
import type { Shortfall } from '../../../core/engine/gaps';
import type { EffectsBehind } from '../../../core/playbook/types';
import { owner, SYSTEM, type Database } from '../database';
import { approvalsQuery, type ApprovalFilter, type ApprovalStatus } from './approvals-query';
import { notFound } from './not-found';
import { isUuid } from '../../../core/base/uuid';
import type { Page } from './page';

export type { ApprovalFilter, ApprovalStatus } from './approvals-query';

export interface ApprovalRow {
  id: string;
  run_id: string;
  owner_id: string;
  step_path: string;
  step_name: string;
  status: ApprovalStatus;
  prompt: string;
  preview: Json;
  preview_total: number | null;
  /** All rows of the preview, where it has the first ones alone and nothing else keeps the others. Not in lists. */
  preview_rows?: Json[] | null;
  action: Json;
  /** Missing results that it depends on: [{step, kind, code, message}]. */
  failures: Shortfall[] | null;
  /** Effects behind the gate; null = not known, the run's plan is older than this fact. */
  effects_behind: EffectsBehind | null;
  digest: string | null;
  edit_schema: Json;
  on_reject: string;
  on_timeout: string;
  requested_at: string;
  due_at: string | null;
  decided_at: string | null;
  decided_by: string | null;
  decision_id: string | null;
  instructions: string | null;
  edits: JsonObject | null;
  approved_digest: string | null;
  quorum: number;
  four_eyes: boolean;
  link_only: boolean;
  /** Others than the run's owner decide. */
  named: boolean;
  unknown_approvers: string[];
  /** Digest of the action with `edits`; null until somebody edits it. */
  edited_digest: string | null;
  edited_by: string | null;
  edited_at: string | null;
  /** Time of the reminder, and the time from which others may decide as well. */
  remind_at: string | null;
  escalate_at: string | null;
  reminded_at: string | null;
  escalated_at: string | null;
  /** True when it waits and its time is over by the database's clock, so that no decision counts. */
  due_passed?: boolean | null;
}

/** Outcome of an approval, for the code that waits for it. */
export interface ApprovalOutcome {
  approvalId: string;
  runId: string;
  step_path: string;
  status: ApprovalStatus;
  decisionId: string | null;
  decided_by: string | null;
  decided_at: string | null;
  instructions: string | null;
  edits: JsonObject | null;
  digest: string | null;
  approved_digest: string | null;
}

/** Outcome of a request whose timer fired: see af_expire_approval. */
export type Expiry =
  | { outcome: 'timed_out' | 'cancelled' }
  | { outcome: 'decided'; decisionId: string | null }
  | { outcome: 'received'; decisions: string[] }
  | { outcome: 'early'; ms: number };

const SETTLE = 'select af_settle_approval($1, $2) as outcome';

export class ApprovalsStore {
  constructor(private readonly database: Database) {}

  async get(ownerId: string, approvalId: string): Promise<ApprovalRow | null> {
    if (!isUuid(approvalId)) {
      return null;
    }
    const [row] = await this.database.hot<ApprovalRow>('select * from af_approval($1, $2)', [ownerId, approvalId]);
    return row ?? null;
  }

  /** True if it can still be decided, for any owner: a check before its run is asked. */
  async isWaiting(approvalId: string): Promise<boolean> {
    const [row] = await this.database.hot<{ waits: boolean }>('select af_approval_waits($1) as waits', [approvalId]);
    return row?.waits === true;
  }

  /** Throws `approval_not_found`. */
  async require(ownerId: string, approvalId: string): Promise<ApprovalRow> {
    const row = await this.get(ownerId, approvalId);
    if (row === null) {
      throw notFound('approval', approvalId);
    }
    return row;
  }

  /** Requests of one's own runs, and those that one is asked for. */
  async list(ownerId: string, filter: ApprovalFilter): Promise<Page<ApprovalRow>> {
    if (filter.runId !== undefined && !isUuid(filter.runId)) {
      return { items: [], next_cursor: null };
    }
    const { statement, page } = approvalsQuery(ownerId, filter);
    const [rows] = await this.database.read<[ApprovalRow]>(owner(ownerId), [statement], 'list');
    return page.of(rows);
  }

  /** The timer fired: `timed_out`, unless something was received in time. Throws `approval_not_found`. */
  async expire(approvalId: string): Promise<Expiry> {
    const [row] = await this.database.hot<{ answer: Expiry | null }>('select af_expire_approval($1) as answer', [
      approvalId,
    ]);
    if (row === undefined || row.answer === null) {
      throw notFound('approval', approvalId);
    }
    return row.answer;
  }

  /** A timer fired. False: it had before, or nothing waits any more. */
  async nudge(approvalId: string, kind: 'reminded' | 'escalated'): Promise<boolean> {
    const [row] = await this.database.hot<{ done: boolean }>('select af_nudge_approval($1, $2) as done', [
      approvalId,
      kind,
    ]);
    return row?.done === true;
  }

  /** Cancels every waiting approval of a run and gives their outcomes. */
  async cancelAll(runId: string): Promise<ApprovalOutcome[]> {
    const waiting = await this.database.query<{ id: string }>(
      SYSTEM,
      `select id from approvals where run_id = $1 and status = 'waiting' order by requested_at, id`,
      [runId],
    );
    const outcomes: ApprovalOutcome[] = [];
    for (const { id } of waiting) {
      const [row] = await this.database.hot<{ outcome: ApprovalOutcome }>(SETTLE, [id, 'cancelled']);
      outcomes.push(...(row === undefined ? [] : [row.outcome]));
    }
    return outcomes;
  }
}
