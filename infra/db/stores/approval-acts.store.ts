import { canonicalJson } from '../../../core/base/canonical-json';
import type { Json, JsonObject } from '../../../core/base/json';
import { owner, type Database, type Statement } from '../database';

export interface ActRow {
  id: string;
  kind: 'edited' | 'delegated' | 'commented' | 'linked' | 'reminded' | 'escalated';
  actor: string;
  body: Json;
  digest: string | null;
  at: string;
}

/** `user:<id>`, `team:<id>` or `scope:<group:role>`. */
export interface ApproverRow {
  subject: string;
  source: 'named' | 'escalation' | 'delegation';
  granted_by: string;
  /** Handle of a person, name of a team, or the scope. */
  name: string;
}

export interface Person {
  id: string;
  handle: string;
  display_name: string;
}

export function refusalOf(approvalId: string, keyId?: string): Statement {
  return { text: 'select app_decider($1, $2) as code', params: [approvalId, keyId ?? null] };
}

export function actsOf(approvalId: string): Statement {
  const text = 'select id, kind, actor, body, digest, at from approval_acts where approval_id = $1 order by at, id';
  return { text, params: [approvalId] };
}

export function approversOf(approvalId: string): Statement {
  return { text: 'select * from app_approvers($1)', params: [approvalId] };
}

/** Acts on a waiting request, except its decision. Each gives `ok`, or the code of its refusal. */
export class ApprovalActsStore {
  constructor(private readonly database: Database) {}

  edit(userId: string, approvalId: string, change: { edits: JsonObject; digest: string }): Promise<string> {
    const { edits, digest } = change;
    return this.act(userId, 'select app_edit_approval($1, $2, $3) as code', [approvalId, canonicalJson(edits), digest]);
  }

  /** `to`: id or handle; oneself takes it back. */
  delegate(userId: string, approvalId: string, to: string): Promise<string> {
    return this.act(userId, 'select app_delegate_approval($1, $2) as code', [approvalId, to]);
  }

  comment(userId: string, approvalId: string, text: string): Promise<string> {
    return this.act(userId, 'select app_comment_approval($1, $2) as code', [approvalId, text]);
  }

  /** Reason why this person (with this key) may not decide; null: they may. */
  async refusal(userId: string, approvalId: string, keyId?: string): Promise<string | null> {
    const { text, params } = refusalOf(approvalId, keyId);
    const [row] = await this.database.query<{ code: string | null }>(owner(userId), text, params);
    return row?.code ?? null;
  }

  /** Reason why an approval by this person would not count now, with edits or without; null: it would. */
  async refusalOfYes(userId: string, approvalId: string, keyId?: string): Promise<string | null> {
    const [row] = await this.database.query<{ code: string | null; acts: string[] }>(
      owner(userId),
      'select app_decider($1, $2) as code, app_approval_acts($1, $2) as acts',
      [approvalId, keyId ?? null],
    );
    if (row === undefined || row.code !== null) return row?.code ?? null;
    return row.acts.includes('reject') && !row.acts.includes('approve') ? 'already_approved' : null;
  }

  /** Finds members of one's teams whose name begins so, and the account with exactly this handle. */
  people(userId: string, text: string, limit: number): Promise<Person[]> {
    return this.database.query<Person>(owner(userId), 'select * from app_people($1, $2)', [text, limit]);
  }

  /** Lists those of the handles that no active account has. The caller's own counts. */
  async unknownHandles(userId: string, handles: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(
      owner(userId),
      `select n.name from unnest($2::text[]) with ordinality n (name, no)
        where not exists (select from users u where u.id = $1 and u.handle = n.name)
          and not exists (select from app_people(n.name, 50) p where p.handle = n.name) order by n.no`,
      [userId, handles],
    );
    return rows.map(({ name }) => name);
  }

  private async act(userId: string, text: string, params: unknown[]): Promise<string> {
    const [row] = await this.database.query<{ code: string }>(owner(userId), text, params);
    return row?.code ?? 'approval_not_found';
  }
}
