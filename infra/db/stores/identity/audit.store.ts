import { fields } from '../../clean-params';
import { owner, SYSTEM, type Database, type Sql } from '../../database';
import { openPage, sortsOf, type Page, type PageRequest } from '../page';

/** Audit entry: actor, act, object and origin. */
export interface AuditEntry {
  ownerId: string;
  actor: string;
  /** `key`, `token`, `session`, or `link`, `password` before there is one of these. */
  means: string;
  credentialId: string | null;
  action: string;
  objectType: string | null;
  objectId: string | null;
  peer: string;
  requestId: string | null;
  /** SHA-256 of the object's canonical JSON. */
  before: string | null;
  after: string | null;
  /** Path of the object: without a digest of its own, `before` is what the last entry with this path left. */
  objectPath?: string | null;
}

export interface AuditRow {
  id: string;
  owner_id: string;
  actor: string;
  means: string;
  credential_id: string | null;
  action: string;
  object_type: string | null;
  object_id: string | null;
  peer: string;
  request_id: string | null;
  before_digest: string | null;
  after_digest: string | null;
  at: string;
}

const SORTS = sortsOf({ at: { column: 'at', type: 'timestamptz' } });
const FIELDS =
  'owner_id, actor, means, credential_id, action, object_type, object_id, peer, request_id, before_digest, after_digest';

const NOTE_ALL = 'select af_audit(e.value) from json_array_elements($1) e';

/** Encodes the entry for functions that write it themselves. */
export function entryParam(entry: AuditEntry | undefined): string | null {
  return fields(entry && noted(entry));
}

/** The type af_audit_entry. */
function noted(entry: AuditEntry): object {
  return {
    owner: entry.ownerId,
    actor: entry.actor,
    means: entry.means,
    credential: entry.credentialId,
    action: entry.action,
    type: entry.objectType,
    object: entry.objectId,
    peer: entry.peer,
    request: entry.requestId,
    before: entry.before,
    after: entry.after,
    path: entry.objectPath,
  };
}

function paramsOf(entry: AuditEntry): unknown[] {
  return [
    entry.ownerId,
    entry.actor,
    entry.means,
    entry.credentialId,
    entry.action,
    entry.objectType,
    entry.objectId,
    entry.peer,
    entry.requestId,
    entry.before,
    entry.after,
  ];
}

/** The audit trail: entries are added, and never changed or removed. */
export class AuditStore {
  constructor(private readonly database: Database) {}

  /** Writes the entry in the transaction of the act. */
  async add(entry: AuditEntry, sql: Sql): Promise<void> {
    await sql.query(
      `insert into audit_log (${FIELDS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      paramsOf(entry),
    );
  }

  /** Writes the entry of an act that is already done. */
  async note(entry: AuditEntry): Promise<void> {
    await this.database.hot('select af_audit($1)', [entryParam(entry)]);
  }

  /** `note` for several entries in one statement: all of them or none. */
  async noteAll(entries: readonly AuditEntry[]): Promise<void> {
    await this.database.hot(NOTE_ALL, [fields(entries.map(noted))]);
  }

  /** `ownerId`: whose; null: everybody's. Newest first. */
  async list(
    ownerId: string | null,
    filter: PageRequest & { action?: string; objectId?: string },
  ): Promise<Page<AuditRow>> {
    const page = openPage(`audit of ${ownerId ?? 'all'}`, filter, SORTS['-at']);
    const rows = await this.database.query<AuditRow>(
      ownerId === null ? SYSTEM : owner(ownerId),
      `select id, ${FIELDS}, at from audit_log where ($1::uuid is null or owner_id = $1)
          and ($2::text is null or action = $2) and ($3::text is null or object_id = $3)
          and ${page.after('$4', '$5')}
        order by ${page.order} limit $6`,
      [ownerId, filter.action ?? null, filter.objectId ?? null, ...page.position, page.take],
    );
    return page.of(rows);
  }
}
