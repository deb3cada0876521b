import type { RunStatus } from '../../../core/base/run-status';
import { owner, type Database } from '../database';

/** Link for one decision by one person about one action. */
export interface ApprovalLink {
  link_id: string;
  approval_id: string;
  user_id: string;
  handle: string;
  digest: string;
  used_at: string | null;
  /** The link alone decides: nobody has to be signed in. */
  link_only: boolean;
}

/** The run that a link's request belongs to. */
export interface LinkedRun {
  run_id: string;
  playbook_slug: string;
  playbook_name: string;
  /** Handle of whose run it is. */
  asked_by: string;
  run_status: RunStatus;
  /** Handle of whom the link's person handed their right to. */
  delegated_to: string | null;
}

export interface UsedLink {
  /** Null: the decision is received. */
  code: string | null;
  decision_id: string;
  approval_id: string;
  user_id: string;
}

/** Tokens are known here by their hash alone. */
export class ApprovalLinksStore {
  constructor(private readonly database: Database) {}

  /** `ok`, or why not. */
  async create(
    ownerId: string,
    link: { id: string; approvalId: string; user: string; tokenHash: string },
  ): Promise<string> {
    const [row] = await this.database.query<{ code: string }>(
      owner(ownerId),
      'select app_create_approval_link($1, $2, $3, $4) as code',
      [link.id, link.approvalId, link.user, link.tokenHash],
    );
    return row?.code ?? 'approval_not_found';
  }

  /** Looking changes nothing. */
  async find(tokenHash: string): Promise<ApprovalLink | null> {
    const [row] = await this.database.hot<ApprovalLink>('select * from af_approval_link($1)', [tokenHash]);
    return row ?? null;
  }

  async run(tokenHash: string): Promise<LinkedRun | null> {
    const [row] = await this.database.hot<LinkedRun>('select * from af_linked_run($1)', [tokenHash]);
    return row ?? null;
  }

  /** Uses it up and writes its decision, in one transaction. `userId`: who is signed in. */
  async use(
    tokenHash: string,
    userId: string | null,
    answer: { decision: 'approve' | 'reject'; instructions?: string },
  ): Promise<UsedLink> {
    const [row] = await this.database.hot<UsedLink>('select * from af_use_approval_link($1, $2, $3, $4)', [
      tokenHash,
      userId,
      answer.decision,
      answer.instructions ?? null,
    ]);
    return row ?? { code: 'link_not_found', decision_id: '', approval_id: '', user_id: '' };
  }
}
