import type { JsonObject } from '../../../core/base/json';
import { AppError } from '../../../core/errors/app-error';
import { cleanText } from '../../../core/base/clean-text';
import { fields, json } from '../clean-params';
import { owner, SYSTEM, type Database, type Statement } from '../database';
import type { ApprovalOutcome } from './approvals.store';
import { notFound } from './not-found';
import { isUuid } from '../../../core/base/uuid';

export interface NewDecision {
  approvalId: string;
  decisionId: string;
  actor: string;
  via: 'api' | 'cli' | 'signal' | 'policy' | 'link';
  decision: 'approve' | 'reject';
  instructions?: string;
  edits?: JsonObject;
  /** Digest of the action that the person saw. */
  digest?: string;
  /** The API key that it came by: then it counts with what that has. */
  keyId?: string;
}

export interface DecisionRow {
  approval_id: string;
  decision_id: string;
  run_id: string;
  owner_id: string;
  actor: string;
  /** Null: a signal or a policy is nobody. */
  actor_id: string | null;
  /** Person who delegated to the actor, where that alone gave them the right. */
  acting_for: string | null;
  via: NewDecision['via'];
  decision: NewDecision['decision'];
  instructions: string | null;
  edits: JsonObject | null;
  digest: string | null;
  state: 'received' | 'counted' | 'refused';
  code: string | null;
  created_at: string;
  settled_at: string | null;
  /** Counted for an action that was edited since. */
  superseded_at: string | null;
}

/** `first`: settled by this very call; a repeat gets the first answer again. */
export interface DecisionOutcome {
  /** Still `received`: it would count, but not before those of `earlier`, which were received before it. */
  state: 'counted' | 'refused' | 'received';
  earlier?: string[];
  /**
   * Reason of the refusal: `approval_already_decided`, `run_closed`, `approval_changed`, `not_allowed`…, or the
   * caller's own.
   */
  code: string | null;
  first: boolean;
  approval: ApprovalOutcome;
}

/** `open`: the request waited when it came in. */
export interface TakenDecision {
  row: DecisionRow;
  open: boolean;
}

export interface SettledRow {
  row: DecisionRow;
  outcome: DecisionOutcome | null;
}

/** `shown`: digest of what the request shows now. */
export interface RefusedDecision {
  refused: string;
  shown: string | null;
}

type Taken = DecisionRow & {
  decision_id: string | null;
  refused: string | null;
  shown: string | null;
  open: boolean | null;
};

export interface LogEntry {
  no: number;
  entry: string;
  prev_hash: string;
  hash: string;
}

/** All that came in, in order. */
export function decisionsOf(approvalId: string): Statement {
  const text = 'select * from approval_decisions where approval_id = $1 order by created_at, decision_id';
  return { text, params: [approvalId] };
}

export type DecisionRef = Pick<DecisionRow, 'approval_id' | 'decision_id'>;

export class DecisionsStore {
  constructor(private readonly database: Database) {}

  /**
   * Writes the decision's row, state `received`. The same id with the same content returns the existing row. Throws
   * `approval_not_found`, or `idempotency_mismatch` for an id that was used with another content.
   */
  async receive(ownerId: string, decision: NewDecision): Promise<{ decision: DecisionRow; created: boolean }> {
    refuseWrongIds(decision);
    const [created] = await this.database.hot<DecisionRow>('select * from af_receive_decision($1)', [
      newDecision(ownerId, decision),
    ]);
    if (created !== undefined) return { decision: created, created: true };
    return { decision: await this.before(ownerId, decision), created: false };
  }

  /**
   * Does the same under the rules of the deciding person: a refused one leaves no row. Throws what `receive` throws.
   */
  async take(ownerId: string, decision: NewDecision): Promise<TakenDecision | RefusedDecision> {
    refuseWrongIds(decision);
    const [taken] = await this.database.hot<Taken>(
      'select t.refused, t.shown, t.open, (t.decision).* from af_take_decision($1) t',
      [newDecision(ownerId, decision)],
    );
    if (taken === undefined) throw new Error('af_take_decision gave no row');
    const { refused, shown, open, ...row } = taken;
    if (refused === 'approval_not_found') throw notFound('approval', decision.approvalId);
    if (refused !== null) return { refused, shown };
    if (row.decision_id !== null) return { row, open: open === true };
    return { row: await this.before(ownerId, decision), open: false };
  }

  private async before(ownerId: string, decision: NewDecision): Promise<DecisionRow> {
    const existing = await this.get(ownerId, decision.approvalId, decision.decisionId);
    if (existing === null) {
      throw notFound('approval', decision.approvalId);
    }
    if (!sameContent(existing, decision)) {
      throw new AppError(
        'idempotency_mismatch',
        'This decisionId was used before with another decision. Use a new decisionId.',
        {
          category: 'validation',
        },
      );
    }
    return existing;
  }

  async get(ownerId: string, approvalId: string, decisionId: string): Promise<DecisionRow | null> {
    const [row] = await this.database.hot<DecisionRow>('select * from af_decision($1, $2, $3)', [
      ownerId,
      approvalId,
      decisionId,
    ]);
    return row ?? null;
  }

  /**
   * Settles a decision for its run. `outcome` null: it has edits and was not counted. Null: the run has no such
   * decision.
   */
  async settle(runId: string, approvalId: string, decisionId: string): Promise<SettledRow | null> {
    const [settled] = await this.database.hot<DecisionRow & Pick<SettledRow, 'outcome'>>(
      'select s.outcome, (s.decision).* from af_settle_decision($1, $2, $3) s where (s.decision).decision_id is not null',
      [runId, approvalId, decisionId],
    );
    if (settled === undefined) return null;
    const { outcome, ...row } = settled;
    return { row, outcome };
  }

  async list(ownerId: string, approvalId: string): Promise<DecisionRow[]> {
    const [rows] = await this.database.read<[DecisionRow]>(owner(ownerId), [decisionsOf(approvalId)]);
    return rows;
  }

  /**
   * Settles a decision once, in one transaction: `counted`, or `refused` with a code. `refuse`: code of a rule that the
   * caller found broken (rights, edits); `approvedDigest`: digest of the action after edits. Null for an unknown decision.
   */
  async count(
    approvalId: string,
    decisionId: string,
    rules: { refuse?: string; approvedDigest?: string } = {},
  ): Promise<DecisionOutcome | null> {
    const [row] = await this.database.hot<{ outcome: DecisionOutcome | null }>(
      'select af_count_decision($1, $2, $3, $4) as outcome',
      [approvalId, decisionId, rules.refuse ?? null, rules.approvedDigest ?? null],
    );
    return row?.outcome ?? null;
  }

  /** Received decisions that nobody settled yet, for the deliverer. */
  async undelivered(olderThanSeconds: number, limit: number): Promise<DecisionRow[]> {
    return this.database.query<DecisionRow>(
      SYSTEM,
      `select * from approval_decisions
        where state = 'received' and created_at < clock_timestamp() - make_interval(secs => $1)
        order by created_at limit $2`,
      [olderThanSeconds, limit],
    );
  }

  /**
   * Counted decisions whose runs may not know them: the workflow task that counted one may have been lost
   * together with everything that it wrote, even the run's end. Sent again under the same id, they get the same answer.
   */
  async unheard(olderThanSeconds: number, limit: number): Promise<DecisionRow[]> {
    return this.database.query<DecisionRow>(
      SYSTEM,
      `select * from approval_decisions
        where state = 'counted' and heard_at is null and via in ('api', 'cli', 'link')
          and settled_at < clock_timestamp() - make_interval(secs => $1)
        order by settled_at limit $2`,
      [olderThanSeconds, limit],
    );
  }

  /** Marks decisions whose runs have answered or ended. */
  async heard(decisions: readonly DecisionRef[]): Promise<void> {
    if (decisions.length === 0) return;
    await this.database.query(
      SYSTEM,
      `update approval_decisions d set heard_at = clock_timestamp()
         from unnest($1::uuid[], $2::uuid[]) as h (approval_id, decision_id)
        where d.approval_id = h.approval_id and d.decision_id = h.decision_id`,
      [decisions.map((each) => each.approval_id), decisions.map((each) => each.decision_id)],
    );
  }

  /** The owner's decision log after entry `afterNo`. */
  async log(ownerId: string, afterNo: number, limit: number): Promise<LogEntry[]> {
    return this.database.query<LogEntry>(
      owner(ownerId),
      'select no, entry, prev_hash, hash from decision_log where owner_id = $1 and no > $2 order by no limit $3',
      [ownerId, afterNo, limit],
    );
  }
}

function refuseWrongIds({ approvalId, decisionId }: NewDecision): void {
  if (!isUuid(approvalId)) throw notFound('approval', approvalId);
  if (!isUuid(decisionId)) {
    throw new AppError('invalid_decision_id', 'decisionId must be a UUID that the client makes for each decision.', {
      category: 'validation',
    });
  }
}

function sameContent(row: DecisionRow, decision: NewDecision): boolean {
  return (
    row.decision === decision.decision &&
    row.actor === decision.actor &&
    (row.instructions ?? '') === cleanText(decision.instructions ?? '') &&
    (decision.via === 'signal' || (row.digest ?? '') === (decision.digest ?? '')) &&
    JSON.stringify(row.edits) === JSON.stringify(decision.edits ?? null)
  );
}

/** The type af_new_decision. */
function newDecision(ownerId: string, decision: NewDecision): string | null {
  return fields({
    owner: ownerId,
    approval: decision.approvalId,
    decision: decision.decisionId,
    actor: decision.actor,
    via: decision.via,
    answer: decision.decision,
    instructions: decision.instructions,
    edits: json(decision.edits),
    digest: decision.digest,
    key: decision.keyId,
  });
}
