import { randomUUID } from 'node:crypto';
import { AppError } from '../../../core/errors/app-error';
import type { JsonObject } from '../../../core/base/json';
import type { Plan } from '../../../core/playbook/types';
import { json } from '../clean-params';
import { owner, type Database, type Sql, type Statement } from '../database';
import { checkSeen, type SeenVersion, type VersionedRow } from '../row-version';
import { CONNECTORS, definitionSql, factParams, PLAYBOOKS, slugsOf, type DefinitionTables } from './definition-sql';
import type {
  ConnectorFacts,
  ConnectorFilters,
  DefinitionRow,
  NewDefinition,
  PlaybookFacts,
  PlaybookFilters,
  SavedDefinition,
  VersionRow,
  VersionSummary,
} from './definition-types';
import { notFound } from './not-found';
import { isUuid } from '../../../core/base/uuid';
import { openPage, sortsOf, type ListPage, type Page, type PageRequest } from './page';

const SORTS = sortsOf({
  created_at: { column: 'd.created_at', type: 'timestamptz', id: 'd.id' },
  name: { column: 'd.name', type: 'text', id: 'd.id' },
});
const BY_NUMBER = sortsOf({ version_no: { column: 'v.version_no', type: 'integer', id: 'v.id' } });
type DefinitionSort = keyof typeof SORTS;
export type DefinitionListRequest = PageRequest & { sort?: DefinitionSort };

interface Claimed {
  id: string;
  origin: 'user' | 'catalog';
  latest_version_id: string | null;
}

interface Locked extends Claimed, VersionedRow {
  slug: string;
}

/** Kept in memory: so many versions, none with a longer text. */
const KNOWN_VERSIONS = 100;
const KNOWN_SOURCE = 65_536;

/** Definitions of one kind. Versions never change: runs pin them, so editing or deleting touches no run in flight. */
class DefinitionsStore<Body, Facts extends object, Filters extends object> {
  protected readonly sql: ReturnType<typeof definitionSql>;
  /** Versions never change, so what was read once need not be read and parsed again for the next run. */
  private readonly known = new Map<string, VersionRow<Body>>();

  constructor(
    protected readonly database: Database,
    protected readonly tables: DefinitionTables,
  ) {
    this.sql = definitionSql(tables);
  }

  /** Creates the definition of this slug, or a new version of it when the content is new. `sql`: the transaction it is in. */
  async save(
    ownerId: string,
    definition: NewDefinition<Body, Facts>,
    sql?: Sql,
  ): Promise<SavedDefinition<Body, Facts>> {
    const write = (inside: Sql): Promise<SavedDefinition<Body, Facts>> =>
      this.write(inside, ownerId, definition, 'user');
    return sql === undefined ? this.database.tx(owner(ownerId), write) : write(sql);
  }

  /**
   * `save` for definitions of the product: one that a person has made, changed or removed under this slug stays as it
   * is; null = removed by them.
   */
  async saveCatalog(
    ownerId: string,
    definition: NewDefinition<Body, Facts>,
  ): Promise<SavedDefinition<Body, Facts> | null> {
    return this.database.tx(owner(ownerId), async (sql) => {
      const removed = await sql.query(this.sql.removedCatalog, [ownerId, definition.slug]);
      return removed.length > 0 ? null : this.write(sql, ownerId, definition, 'catalog');
    });
  }

  /**
   * Adds a version to an existing definition if the content is new. Throws `<what>_not_found`, what `checkSeen` throws,
   * and `slug_mismatch` for the text of another.
   */
  async replace(
    ownerId: string,
    idOrSlug: string,
    definition: NewDefinition<Body, Facts>,
    seen: SeenVersion,
  ): Promise<SavedDefinition<Body, Facts>> {
    return this.database.tx(owner(ownerId), async (sql) => {
      const current = await this.lock(sql, ownerId, idOrSlug, seen);
      if (current.slug !== definition.slug) {
        throw new AppError(
          'slug_mismatch',
          `The text is that of "${definition.slug}", not of "${current.slug}". A slug stays as it is: create the other one with POST.`,
          { category: 'validation' },
        );
      }
      const added = await this.addVersion(sql, ownerId, current, { definition, origin: 'user' });
      return this.saved(sql, ownerId, current, added);
    });
  }

  /** Finds by slug or id. */
  async get(ownerId: string, idOrSlug: string): Promise<(DefinitionRow & Facts) | null> {
    const [row] = await this.database.query<DefinitionRow & Facts>(owner(ownerId), this.sql.find, [ownerId, idOrSlug]);
    return row ?? null;
  }

  /** Throws `playbook_not_found` or `connector_not_found`. */
  async require(ownerId: string, idOrSlug: string): Promise<DefinitionRow & Facts> {
    return (await this.get(ownerId, idOrSlug)) ?? this.refuse(ownerId, idOrSlug);
  }

  /** Throws `<what>_not_found`, with the most similar name of the owner. */
  protected async refuse(ownerId: string, name: string, sql: Sql = this.database.as(owner(ownerId))): Promise<never> {
    throw notFound(this.tables.what, name, await slugsOf(sql, this.tables, ownerId));
  }

  async list(ownerId: string, request: DefinitionListRequest & Filters): Promise<Page<DefinitionRow & Facts>> {
    const { page, statement } = this.listQuery(ownerId, request);
    const [rows] = await this.database.read<[DefinitionRow & Facts]>(owner(ownerId), [statement], 'list');
    return page.of(rows);
  }

  /** The statement of a list; tests read its plan. */
  listQuery(ownerId: string, request: DefinitionListRequest & Filters): { page: ListPage; statement: Statement } {
    const page = openPage(this.tables.main, request, SORTS[request.sort ?? '-created_at']);
    return { page, statement: this.sql.list(page, ownerId, request) };
  }

  /** The last one first. */
  async versions(ownerId: string, definitionId: string, request: PageRequest): Promise<Page<VersionSummary>> {
    const page = openPage(`${this.tables.versions} of ${definitionId}`, request, BY_NUMBER['-version_no']);
    const rows = await this.database.query<VersionSummary>(owner(ownerId), this.sql.versions(page), [
      definitionId,
      ownerId,
      ...page.position,
      page.take,
    ]);
    return page.of(rows);
  }

  /** Reads a pinned version by its id, also of a deleted definition. Callers must not change it. */
  async version(ownerId: string, versionId: string): Promise<VersionRow<Body> | null> {
    if (!isUuid(versionId)) {
      return null;
    }
    const key = `${ownerId}/${versionId}`;
    const known = this.known.get(key);
    if (known !== undefined) {
      return known;
    }
    const [row] = await this.database.query<VersionRow<Body>>(owner(ownerId), this.sql.version, [versionId, ownerId]);
    if (row !== undefined && row.source.length <= KNOWN_SOURCE) {
      if (this.known.size >= KNOWN_VERSIONS) {
        this.known.clear();
      }
      this.known.set(key, row);
    }
    return row ?? null;
  }

  /**
   * The version to run: the latest, or the one named (declared version or number). Throws `<what>_not_found` or
   * `version_not_found`.
   */
  async resolve(ownerId: string, idOrSlug: string, version?: string): Promise<VersionRow<Body>> {
    return this.versionOf(ownerId, await this.require(ownerId, idOrSlug), version);
  }

  protected async versionOf(
    ownerId: string,
    definition: DefinitionRow,
    version: string | undefined,
  ): Promise<VersionRow<Body>> {
    const row =
      version === undefined
        ? await this.version(ownerId, definition.latest_version_id)
        : (
            await this.database.query<VersionRow<Body>>(owner(ownerId), this.sql.versionNamed, [
              definition.id,
              ownerId,
              version,
            ])
          )[0];
    if (row === null || row === undefined) {
      throw new AppError(
        'version_not_found',
        `The ${this.tables.what} "${definition.slug}" has no version "${version ?? 'latest'}"; the latest is ${definition.version_no}.`,
        { category: 'not_found' },
      );
    }
    return row;
  }

  /** Hides the definition; its versions stay for runs that pin them, and its slug is free. Throws as `replace`. */
  async remove(ownerId: string, idOrSlug: string, seen: SeenVersion): Promise<void> {
    await this.database.tx(owner(ownerId), async (sql) => {
      const { id } = await this.lock(sql, ownerId, idOrSlug, seen);
      await sql.query(this.sql.remove, [id]);
    });
  }

  private async lock(sql: Sql, ownerId: string, idOrSlug: string, seen: SeenVersion): Promise<Locked> {
    const [row] = await sql.query<Locked>(this.sql.lock, [ownerId, idOrSlug]);
    if (row === undefined) return this.refuse(ownerId, idOrSlug, sql);
    checkSeen(row, seen);
    return row;
  }

  private async write(
    sql: Sql,
    ownerId: string,
    definition: NewDefinition<Body, Facts>,
    origin: 'user' | 'catalog',
  ): Promise<SavedDefinition<Body, Facts>> {
    const claimed = await this.claim(sql, ownerId, definition, origin);
    const mayChange = claimed.latest_version_id === null || origin === 'user' || claimed.origin === 'catalog';
    const added = mayChange && (await this.addVersion(sql, ownerId, claimed, { definition, origin }));
    return this.saved(sql, ownerId, claimed, added);
  }

  private async saved(
    sql: Sql,
    ownerId: string,
    before: Claimed,
    added: boolean,
  ): Promise<SavedDefinition<Body, Facts>> {
    const [row] = await sql.query<DefinitionRow & Facts>(this.sql.byId, [before.id]);
    const definition = row as DefinitionRow & Facts;
    const [version] = await sql.query<VersionRow<Body>>(this.sql.version, [definition.latest_version_id, ownerId]);
    const created = before.latest_version_id === null;
    return { definition, version: version as VersionRow<Body>, created, new_version: added };
  }

  private async claim(
    sql: Sql,
    ownerId: string,
    definition: NewDefinition<Body, Facts>,
    origin: string,
  ): Promise<Claimed> {
    const [claimed] = await sql.query<Claimed>(this.sql.claim, [
      randomUUID(),
      ownerId,
      definition.slug,
      definition.name,
      definition.description ?? null,
      definition.kind ?? null,
      origin,
    ]);
    return claimed as Claimed;
  }

  private async addVersion(
    sql: Sql,
    ownerId: string,
    claimed: Claimed,
    { definition, origin }: { definition: NewDefinition<Body, Facts>; origin: 'user' | 'catalog' },
  ): Promise<boolean> {
    const [added] = await sql.query<{ id: string }>(this.sql.addVersion, [
      randomUUID(),
      claimed.id,
      ownerId,
      definition.declared_version ?? null,
      definition.content_hash,
      definition.source_format,
      definition.source,
      json(definition.body),
    ]);
    const [same] =
      added === undefined
        ? await sql.query<{ id: string }>(this.sql.versionByHash, [claimed.id, definition.content_hash])
        : [added];
    const facts = factParams(this.tables, definition.facts);
    if (same?.id !== claimed.latest_version_id) {
      await sql.query(this.sql.setLatest, [
        claimed.id,
        same?.id,
        definition.name,
        definition.description ?? null,
        definition.kind ?? null,
        origin,
        ...facts,
      ]);
    } else if (definition.facts !== undefined) {
      await sql.query(this.sql.setFacts, [claimed.id, definition.kind ?? null, ...facts]);
    }
    return added !== undefined;
  }
}

export class PlaybooksStore extends DefinitionsStore<Plan, PlaybookFacts, PlaybookFilters> {
  constructor(database: Database) {
    super(database, PLAYBOOKS);
  }

  /**
   * The version that a run has pinned. Its owner may not see it any more (a share was withdrawn): then it is read for the run
   * itself, which begins and stands still with the reason for its owner to see. Null: no such run.
   */
  async pinned(run: { id: string; owner_id: string; playbook_version_id: string }): Promise<VersionRow<Plan> | null> {
    const seen = await this.version(run.owner_id, run.playbook_version_id);
    if (seen !== null) return seen;
    const [row] = await this.database.hot<VersionRow<Plan>>('select * from af_run_playbook($1)', [run.id]);
    return row ?? null;
  }

  /**
   * `resolve`, with the time when this owner's latest complete or partial run of it began (RFC 3339): the start of a
   * run needs one statement.
   */
  async resolveToStart(
    ownerId: string,
    idOrSlug: string,
    version?: string,
  ): Promise<{ version: VersionRow<Plan>; lastStartedAt: string | null }> {
    type Row = DefinitionRow & { last_started_at: string | null };
    const [row] = await this.database.hot<Row>('select * from af_playbook_to_start($1, $2)', [ownerId, idOrSlug]);
    if (row === undefined) return this.refuse(ownerId, idOrSlug);
    return { version: await this.versionOf(ownerId, row, version), lastStartedAt: row.last_started_at };
  }
}

/** `body` is the parsed connector definition; core/connector knows its type. */
export class ConnectorsStore<Definition = JsonObject> extends DefinitionsStore<
  Definition,
  ConnectorFacts,
  ConnectorFilters
> {
  constructor(database: Database) {
    super(database, CONNECTORS);
  }

  /** Ids of the latest versions, by the given slug or id; missing ones are left out. */
  async latest(ownerId: string, idsOrSlugs: readonly string[]): Promise<Map<string, string>> {
    type Row = { ref: string; latest_version_id: string };
    const rows =
      idsOrSlugs.length === 0
        ? []
        : await this.database.hot<Row>('select * from af_latest_connectors($1, $2)', [ownerId, idsOrSlugs]);
    return new Map(rows.map((row) => [row.ref, row.latest_version_id]));
  }
}
