import { randomUUID } from 'node:crypto';
import type { ApprovalPolicyRequest, ApprovalRequest } from '../../core/engine/commands';
import { ApprovalActsStore } from '../../infra/db/stores/approval-acts.store';
import { ApprovalLinksStore } from '../../infra/db/stores/approval-links.store';
import { ApprovalViewStore } from '../../infra/db/stores/approval-view.store';
import { ApprovalsStore } from '../../infra/db/stores/approvals.store';
import { DecisionsStore, type DecisionOutcome, type NewDecision } from '../../infra/db/stores/decisions.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { OWNER, seedRun, testDatabase, type TestDatabase } from './db-fixture';

/** Requests with rules, and people who decide them. */
export interface ApprovalBench {
  db: TestDatabase;
  approvals: ApprovalsStore;
  decisions: DecisionsStore;
  acts: ApprovalActsStore;
  views: ApprovalViewStore;
  links: ApprovalLinksStore;
  transitions: TransitionsStore;
  /** Makes a person; their handle is also the name of their id. */
  person(handle: string, scopes?: string[]): Promise<string>;
  team(name: string, members: Record<string, string>): Promise<string>;
  open(policy: ApprovalPolicyRequest, more?: Partial<ApprovalRequest>): Promise<{ runId: string; approvalId: string }>;
  decide(who: string, approvalId: string, more?: Partial<NewDecision>): Promise<DecisionOutcome | null>;
  /** `counted`, or the code of why not. */
  answer(who: string, approvalId: string, more?: Partial<NewDecision>): Promise<string>;
  status(approvalId: string): Promise<string | undefined>;
}

const SCHEMA = { type: 'object', properties: { to: { type: 'string' } }, additionalProperties: false };

export async function approvalBench(): Promise<ApprovalBench> {
  const db = await testDatabase();
  const { database, admin } = db;
  const approvals = new ApprovalsStore(database);
  const decisions = new DecisionsStore(database);
  const transitions = new TransitionsStore(database);
  const bench: ApprovalBench = {
    db,
    approvals,
    decisions,
    transitions,
    acts: new ApprovalActsStore(database),
    views: new ApprovalViewStore(database),
    links: new ApprovalLinksStore(database),
    person: async (handle, scopes = []) => {
      const id = randomUUID();
      await admin.query(`insert into users (id, handle, display_name) values ($1, $2, $3)`, [id, handle, `${handle}!`]);
      if (scopes.length > 0) await admin.query('update users set scopes = $2 where id = $1', [id, scopes]);
      return id;
    },
    team: async (name, members) => {
      const id = randomUUID();
      await admin.query('insert into teams (id, owner_id, name) values ($1, $2, $3)', [id, OWNER, name]);
      for (const [user, role] of Object.entries(members)) {
        await admin.query('insert into team_members (team_id, user_id, role) values ($1, $2, $3)', [id, user, role]);
      }
      return id;
    },
    open: async (policy, more = {}) => {
      const runId = await seedRun(database);
      const request = { ...REQUEST, id: randomUUID(), policy, ...more };
      const edit_schema = SCHEMA;
      await transitions.apply(runId, {
        approvals: [{ ...request, edit_schema }],
        patch: { no: 1, status: 'waiting_approval', waits: [], steps_done: 0, steps_total: 1 },
      });
      return { runId, approvalId: request.id };
    },
    decide: async (who, approvalId, more = {}) => {
      const row = await approvals.require(OWNER, approvalId);
      const { decision } = await decisions.receive(who, {
        approvalId,
        decisionId: randomUUID(),
        actor: who.slice(0, 8),
        via: 'api',
        decision: 'approve',
        digest: row.edited_digest ?? row.digest ?? '',
        ...more,
      });
      return countInTurn(decisions, approvalId, decision.decision_id);
    },
    answer: async (who, approvalId, more) => {
      const outcome = await bench.decide(who, approvalId, more);
      return outcome?.code ?? outcome?.state ?? 'unknown';
    },
    status: async (approvalId) => (await approvals.get(OWNER, approvalId))?.status,
  };
  // Columns of a later migration, for a schema that stops before it.
  await admin.query(`alter table users add column if not exists status text not null default 'active'`);
  await admin.query(`alter table users add column if not exists scopes text[] not null default '{}'`);
  return bench;
}

/** Counts as the activity does: decisions received earlier are counted first. */
export async function countInTurn(
  decisions: DecisionsStore,
  approvalId: string,
  decisionId: string,
): Promise<DecisionOutcome | null> {
  const outcome = await decisions.count(approvalId, decisionId);
  for (const earlier of outcome?.earlier ?? []) await countInTurn(decisions, approvalId, earlier);
  return outcome?.earlier ? countInTurn(decisions, approvalId, decisionId) : outcome;
}

const REQUEST: ApprovalRequest = {
  id: '',
  step_path: 'gate',
  step_name: 'gate',
  status: 'waiting',
  prompt: 'Send it?',
  preview: [{ name: 'x' }],
  preview_total: 1,
  action: { step: 'send', action: 'call_connector', inputs: { to: 'a' }, params: {} },
  digest: 'd1',
  on_reject: 'stop',
  on_timeout: 'skip',
  due_at: null,
};
