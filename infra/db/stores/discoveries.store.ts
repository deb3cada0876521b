import { owner, type Database } from '../database';
import { openPage, type Page, type PageRequest } from './page';
import type { DiscoveryRow } from './profile-types';

export interface DiscoveryFilter extends PageRequest {
  runId?: string;
  profileId?: string;
  type?: string;
  entityType?: string;
  /** RFC 3339, inclusive and exclusive. */
  from?: string;
  before?: string;
}

export interface DiscoveryCount {
  discovery_type: string;
  entity_type: string | null;
  source_connector: string | null;
  count: number;
}

const COLUMNS = `id, run_id, profile_id, discovery_type, entity_name, entity_type, entity_id, relationship_type,
  related_entity_name, source_connector, source_endpoint, confidence, details, created_at`;

/** Discoveries of runs: entities, relationships, merges, patterns. */
export class DiscoveriesStore {
  constructor(private readonly database: Database) {}

  async list(ownerId: string, filter: DiscoveryFilter): Promise<Page<DiscoveryRow>> {
    const page = openPage('discoveries', filter);
    const rows = await this.database.query<DiscoveryRow>(
      owner(ownerId),
      `select ${COLUMNS} from discoveries
        where owner_id = $1 and ($2::uuid is null or run_id = $2) and ($3::uuid is null or profile_id = $3)
          and ($4::text is null or discovery_type = $4) and ($5::text is null or entity_type = $5)
          and ($6::timestamptz is null or created_at >= $6) and ($7::timestamptz is null or created_at < $7)
          and ${page.after('$8', '$9')}
        order by ${page.order} limit $10`,
      [
        ownerId,
        filter.runId ?? null,
        filter.profileId ?? null,
        filter.type ?? null,
        filter.entityType ?? null,
        filter.from ?? null,
        filter.before ?? null,
        ...page.position,
        page.take,
      ],
    );
    return page.of(rows);
  }

  /** Numbers over a stretch of time, by kind, entity type and source. */
  async stats(ownerId: string, range: { from: string; before: string }): Promise<DiscoveryCount[]> {
    return this.database.query<DiscoveryCount>(
      owner(ownerId),
      `select discovery_type, entity_type, source_connector, count(*) as count from discoveries
        where owner_id = $1 and created_at >= $2 and created_at < $3
        group by discovery_type, entity_type, source_connector order by count desc, 1, 2, 3`,
      [ownerId, range.from, range.before],
    );
  }
}
