import { owner, type Database } from '../database';
import { visibleRows } from './visible-rows';

export const SEARCH_KINDS = ['playbook', 'connector', 'run', 'document'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export interface SearchHit {
  kind: SearchKind;
  id: string;
  /** Name of the thing. */
  title: string;
  /** Slug, question of a run... */
  note: string | null;
  status: string | null;
  at: string;
}

/** Rows of one kind (own ones and each team's apart) that are looked at, newest first: a search must end, however much there is. */
const LOOKED_AT = 5_000;

const LOOK: Record<SearchKind, string> = {
  playbook: definitions('playbook', 'playbooks', 'app_team_playbooks()'),
  connector: definitions('connector', 'connectors', 'app_team_connectors()'),
  run: `select 'run' as kind, id, playbook_name as title, query as note, status, created_at as at
    from (${visibleRows({
      from: 'runs',
      columns: 'id, playbook_name, playbook_slug, query, status, created_at',
      where: 'true',
      order: 'created_at desc, id desc',
      limit: String(LOOKED_AT),
    })}) r
    where ${contains('playbook_name', 'playbook_slug', "coalesce(query, '')", 'id::text')}`,
  document: `select 'document' as kind, id, name as title, null as note, null as status, created_at as at
    from (select id, name, created_at from documents where owner_id = $1 and deleted_at is null
            order by created_at desc, id desc limit ${LOOKED_AT}) d
    where ${contains('name', 'id::text')}`,
};

/**
 * Finds by name what a person can see: their own objects, and those that their teams share. Matches parts of a name in
 * any case. Row-level security is a second protection, and never selects the rows.
 */
export class SearchStore {
  constructor(private readonly database: Database) {}

  async search(ownerId: string, text: string, kinds: readonly SearchKind[], each: number): Promise<SearchHit[]> {
    const parts = kinds.map((kind) => `(${LOOK[kind]} order by at desc, id desc limit $3)`);
    return this.database.query<SearchHit>(owner(ownerId), parts.join(' union all '), [ownerId, text, each]);
  }
}

/** `shared`: ids of what profiles bring that are shared with one's teams. */
function definitions(kind: SearchKind, table: string, shared: string): string {
  const columns = 'id, name, slug, updated_at, created_at';
  const newest = `order by created_at desc, id desc limit ${LOOKED_AT}`;
  return `select '${kind}' as kind, id, name as title, slug as note, null as status, updated_at as at
    from (
      (select ${columns} from ${table} where owner_id = $1 and deleted_at is null ${newest})
      union
      (select ${columns} from ${table} where id in (select ${shared}) and deleted_at is null ${newest})
    ) p
    where ${contains('name', 'slug', 'id::text')}`;
}

function contains(...columns: string[]): string {
  return columns.map((column) => `strpos(lower(${column}), lower($2::text)) > 0`).join(' or ');
}
