import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../../core/base/json';
import type { RunStatus } from '../../../core/base/run-status';
import type { ApprovalRequest, RunEvent, StatusPatch } from '../../../core/engine/commands';
import type { StoredValue } from '../../../core/engine/values';
import { fields, json } from '../clean-params';
import { SYSTEM, type Database } from '../database';
import type { DecideInput } from '../../../workflows/messages';
import type { DecisionRow, SettledRow } from './decisions.store';
import { approvalsParam, eventsParam, patchParam } from './encode';
import { notFound } from './not-found';
import type { RunControl } from './run-types';

export interface Transition {
  events?: RunEvent[];
  patch?: StatusPatch;
  approvals?: (ApprovalRequest & { edit_schema?: JsonObject })[];
}
export interface TransitionAnswer {
  control: RunControl;
  status: RunStatus;
  seq: number;
  /** False: the run is closed, nothing was written. */
  applied: boolean;
}

interface RunJournal {
  summary: string;
  detail_entries?: Json[];
  entities_mentioned?: string[];
  outputs_produced?: Json[];
  entities_discovered?: number;
}
export interface RunEnd {
  status: RunStatus;
  code?: string;
  message?: string;
  /** The last one is `complete`. */
  events?: RunEvent[];
  patch?: StatusPatch;
  result?: { [key: string]: StoredValue };
  summary?: string;
  routing_report?: Json;
  journal?: RunJournal;
}
export interface FinishAnswer {
  /** The status that the run has now: the first end wins. */
  status: RunStatus;
  /** True when this call closed it. */
  closed: boolean;
  seq: number;
  /** Sub-playbooks that ended with it, because they had not begun. */
  children?: EndedChild[];
}

interface EndedChild {
  id: string;
  playbook_slug: string;
  owner_id: string;
  created_at: string;
  status: RunStatus;
  code: string;
}

/** The engine's own transitions, and the end of a run. Every call may be repeated. */
export class TransitionsStore {
  constructor(private readonly database: Database) {}

  /** Throws `run_not_found`. */
  async apply(runId: string, transition: Transition): Promise<TransitionAnswer> {
    const [row] = await this.database.hot<{ answer: TransitionAnswer | null }>(
      'select af_transition($1, $2, $3, $4) as answer',
      [runId, eventsParam(transition.events), patchParam(transition.patch), approvalsParam(transition.approvals)],
    );
    return present(runId, row?.answer);
  }

  /** Throws `run_not_found`. */
  async finish(runId: string, end: RunEnd): Promise<FinishAnswer> {
    const [row] = await this.database.hot<{ answer: FinishAnswer | null }>(
      'select af_finish_tree($1, $2, $3, $4) as answer',
      [runId, endOf(end), eventsParam(end.events), json(end.result)],
    );
    return present(runId, row?.answer);
  }

  /**
   * Counts a decision, and ends the run in the same transaction if the decision is as `said` and decided. `finished` null: it
   * goes on. Null: the run has no such decision. Throws `run_not_found`.
   */
  async settleAndFinish(
    runId: string,
    { approvalId, decisionId, said }: Required<DecideInput>,
    end: RunEnd,
  ): Promise<(SettledRow & { finished: FinishAnswer | null }) | null> {
    const [settled] = await this.database.hot<
      DecisionRow & Pick<SettledRow, 'outcome'> & { finished: FinishAnswer | null }
    >(
      `select s.finished, s.outcome, (s.decision).* from af_settle_and_finish($1, $2, $3, $4, $5) s
        where (s.decision).decision_id is not null`,
      [
        runId,
        fields({ ...said, approval: approvalId, id: decisionId }),
        endOf(end),
        eventsParam(end.events),
        json(end.result),
      ],
    );
    if (settled === undefined) return null;
    const { finished, outcome, ...row } = settled;
    return { finished, outcome, row };
  }

  /** Closes a run whose workflow is gone (terminated, timed out, failed, missing): events, approvals and journal as usual. */
  async closeFromOutside(
    run: { id: string; playbook_name: string },
    status: RunStatus,
    code: string,
    message: string,
  ): Promise<FinishAnswer> {
    const payload: JsonObject = { status, code, message };
    return this.finish(run.id, {
      status,
      code,
      message,
      events: [
        { id: 'outside:status', type: 'run.status', payload: { ...payload, waits: [] } },
        { id: 'outside:complete', type: 'complete', payload },
      ],
      journal: { summary: `${run.playbook_name}: ${status}. ${message}` },
    });
  }

  /**
   * Covers the status of a run that Temporal shows to be stuck, and adds what it waits for: a person, or the platform. The
   * engine's next patch or `unflag` removes the cover; a closed run stays as it is. True when it changed.
   */
  async flag(runId: string, status: RunStatus, { code, message }: { code: string; message: string }): Promise<boolean> {
    const kind = status === 'needs_attention' ? 'attention' : 'platform';
    const wait = { kind, code, message, since: new Date().toISOString(), until: null };
    const rows = await this.database.query(
      SYSTEM,
      `update runs set status = $2, status_code = $3, status_message = $4, updated_at = clock_timestamp(),
         covered = coalesce(covered,
           json_build_object('status', status, 'code', status_code, 'message', status_message, 'waits', waits)),
         waits = (coalesce(covered -> 'waits', waits::json)::jsonb || $5::jsonb)::json
        where id = $1 and not af_closed(status) and (status, status_code) is distinct from ($2, $3) returning id`,
      [runId, status, code, message, json([wait])],
    );
    return rows.length > 0;
  }

  /** The run moves again: its own status comes back. True when it was covered. */
  async unflag(runId: string): Promise<boolean> {
    const rows = await this.database.query(
      SYSTEM,
      `update runs set status = covered ->> 'status', status_code = covered ->> 'code', status_message = covered ->> 'message',
         waits = coalesce(covered -> 'waits', '[]'), covered = null, updated_at = clock_timestamp()
        where id = $1 and covered is not null and not af_closed(status) returning id`,
      [runId],
    );
    return rows.length > 0;
  }
}

/** The type af_run_end. */
function endOf({ status, code, message, patch, summary, routing_report: report, journal }: RunEnd): string | null {
  return fields({
    status,
    code,
    message,
    patch: patchParam(patch),
    summary,
    routing_report: json(report),
    journal: journalParam(journal),
  });
}

function journalParam(journal: RunJournal | undefined): string | null {
  return fields(
    journal && {
      ...journal,
      id: randomUUID(),
      detail_entries: json(journal.detail_entries),
      outputs_produced: json(journal.outputs_produced),
    },
  );
}

function present<T>(runId: string, answer: T | null | undefined): T {
  if (answer === null || answer === undefined) {
    throw notFound('run', runId);
  }
  return answer;
}
