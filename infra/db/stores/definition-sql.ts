import { fields } from '../clean-params';
import type { Sql, Statement } from '../database';
import type { ListPage, Param } from './page';

/** A column for a fact that a version states about itself. */
interface FactColumn {
  name: string;
  type: 'text' | 'text[]' | 'boolean' | 'jsonb';
  /** Value for a definition without the fact. */
  none: unknown;
}

/** Names of one pair of tables; constants only, they go into SQL text. */
export interface DefinitionTables {
  what: 'playbook' | 'connector';
  main: 'playbooks' | 'connectors';
  versions: 'playbook_versions' | 'connector_versions';
  ref: 'playbook_id' | 'connector_id';
  kind: 'category' | 'type';
  body: 'plan' | 'definition';
  /** Ids of what others share with the caller. */
  shared: 'app_team_playbooks()' | 'app_team_connectors()';
  facts: readonly FactColumn[];
  /** Filters of the list, by name; one that is null lets everything pass. */
  filters: Readonly<Record<string, (value: string) => string>>;
}

const TAGGED = (value: string): string => `(${value}::text is null or d.tags @> array[${value}::text])`;
const IN_CATEGORY = (value: string): string => `(${value}::text is null or d.category = ${value}::text)`;

export const PLAYBOOKS: DefinitionTables = {
  what: 'playbook',
  main: 'playbooks',
  versions: 'playbook_versions',
  ref: 'playbook_id',
  kind: 'category',
  body: 'plan',
  shared: 'app_team_playbooks()',
  facts: [
    { name: 'tags', type: 'text[]', none: [] },
    { name: 'triggers', type: 'jsonb', none: [] },
    { name: 'required_connectors', type: 'text[]', none: [] },
  ],
  filters: {
    tag: TAGGED,
    category: IN_CATEGORY,
    connector: (value) => `(${value}::text is null or d.required_connectors @> array[${value}::text])`,
    trigger: (value) =>
      `(${value}::text is null or d.triggers @> jsonb_build_array(jsonb_build_object('type', ${value}::text)))`,
  },
};
export const CONNECTORS: DefinitionTables = {
  what: 'connector',
  main: 'connectors',
  versions: 'connector_versions',
  ref: 'connector_id',
  kind: 'type',
  body: 'definition',
  shared: 'app_team_connectors()',
  facts: [
    { name: 'icon', type: 'text', none: null },
    { name: 'category', type: 'text', none: null },
    { name: 'tags', type: 'text[]', none: [] },
    { name: 'requires_auth', type: 'boolean', none: false },
    { name: 'auth_fields', type: 'jsonb', none: [] },
  ],
  filters: {
    tag: TAGGED,
    category: IN_CATEGORY,
    type: (value) => `(${value}::text is null or d.type = ${value}::text)`,
    requires_auth: (value) => `(${value}::boolean is null or d.requires_auth = ${value}::boolean)`,
  },
};

/** Names for "did you mean". */
export async function slugsOf(sql: Sql, { main }: Pick<DefinitionTables, 'main'>, ownerId: string): Promise<string[]> {
  const text = `select d.slug from ${main} d where d.owner_id = $1 and d.deleted_at is null order by d.slug limit 2000`;
  return (await sql.query<{ slug: string }>(text, [ownerId])).map(({ slug }) => slug);
}

/** Parameters of `setLatest` and `setFacts`, behind the others. */
export function factParams({ facts: columns }: DefinitionTables, facts: object | undefined): unknown[] {
  const given = { ...facts } as Record<string, unknown>;
  return columns.map(({ name, type, none }) => {
    const value = given[name] ?? none;
    return type === 'jsonb' ? fields(value as object) : value;
  });
}

export function definitionSql(t: DefinitionTables) {
  const row = `d.id, d.owner_id, d.slug, d.name, d.description, d.${t.kind} as kind, d.origin, d.latest_version_id,
    d.created_at, d.updated_at, d.row_version, v.version_no, v.declared_version,
    ${t.facts.map(({ name }) => `d.${name}`).join(', ')}`;
  const joined = `${t.main} d join ${t.versions} v on v.id = d.latest_version_id`;
  const summary = `v.id, v.${t.ref} as definition_id, v.version_no, v.declared_version, v.content_hash, v.source_format,
    v.created_at`;
  const version = `select ${summary}, v.owner_id, d.slug, v.source, v.${t.body} as body
    from ${t.versions} v join ${t.main} d on d.id = v.${t.ref}`;
  const factsFrom = (first: number): string =>
    t.facts.map(({ name, type }, no) => `${name} = $${first + no}::${type}`).join(', ');
  const factNames = t.facts.map(({ name }) => name).join(', ');
  const factValues = t.facts.map(({ type }, no) => `$${3 + no}::${type}`).join(', ');
  return {
    /** Takes the slug's row lock, so that two saves of one slug follow each other. */
    claim: `insert into ${t.main} as d (id, owner_id, slug, name, description, ${t.kind}, origin)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (owner_id, slug) where deleted_at is null do update set updated_at = d.updated_at
      returning id, origin, latest_version_id`,
    lock: `select id, slug, origin, latest_version_id, row_version from ${t.main}
      where owner_id = $1 and deleted_at is null and (slug = $2 or id::text = lower($2))
      order by (slug = $2) desc limit 1 for update`,
    /** A person has removed what ships with the product under this slug. */
    removedCatalog: `select 1 from ${t.main} where owner_id = $1 and slug = $2 and origin = 'catalog' and deleted_at is not null
      and not exists (select from ${t.main} where owner_id = $1 and slug = $2 and deleted_at is null)`,
    addVersion: `insert into ${t.versions} (id, ${t.ref}, owner_id, version_no, declared_version, content_hash,
        source_format, source, ${t.body})
      select $1, $2, $3, coalesce(max(version_no), 0) + 1, $4, $5, $6, $7, $8 from ${t.versions} where ${t.ref} = $2
      on conflict (${t.ref}, content_hash) do nothing
      returning id`,
    versionByHash: `select id from ${t.versions} where ${t.ref} = $1 and content_hash = $2`,
    setLatest: `update ${t.main} set latest_version_id = $2, name = $3, description = $4, ${t.kind} = $5, origin = $6,
        updated_at = clock_timestamp(), ${factsFrom(7)}
      where id = $1`,
    /** Updates the facts of a text that is the latest version already: an earlier build may have read fewer. */
    setFacts: `update ${t.main} set ${t.kind} = $2, ${factsFrom(3)}
      where id = $1 and (${t.kind}, ${factNames}) is distinct from ($2::text, ${factValues})`,
    byId: `select ${row} from ${joined} where d.id = $1`,
    find: `select ${row} from ${joined}
      where d.owner_id = $1 and d.deleted_at is null and (d.slug = $2 or d.id::text = lower($2))
      order by (d.slug = $2) desc limit 1`,
    /** One text for each order, whatever it is filtered by: filters are no part of an index. */
    list: (page: ListPage, ownerId: string, filters: object): Statement => {
      const params: unknown[] = [ownerId];
      const param: Param = (value) => `$${params.push(value)}`;
      const given = { ...filters } as Record<string, unknown>;
      const conditions = Object.entries(t.filters).map(([name, holds]) => holds(param(given[name] ?? null)));
      const { where, order } = page.walk(param);
      const text = `select ${row} from ${joined}
      where d.owner_id = $1 and d.deleted_at is null and ${[...conditions, where].join(' and ')}
      order by ${order} limit ${param(page.take)}`;
      return { text, params };
    },
    versions: (page: ListPage) => `select ${summary} from ${t.versions} v
      where v.${t.ref} = $1 and v.owner_id = $2 and ${page.after('$3', '$4')} order by ${page.order} limit $5`,
    version: `${version} where v.id = $1 and (v.owner_id = $2 or v.${t.ref} in (select ${t.shared}))`,
    versionNamed: `${version}
      where v.${t.ref} = $1 and v.owner_id = $2 and (v.declared_version = $3 or v.version_no::text = $3)
      order by v.version_no desc limit 1`,
    remove: `update ${t.main} set deleted_at = clock_timestamp() where id = $1`,
  };
}
