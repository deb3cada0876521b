import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import { DiscoveriesStore, type DiscoveryCount } from '../../infra/db/stores/discoveries.store';
import type { DiscoveryRow } from '../../infra/db/stores/profile-types';
import { RunsStore } from '../../infra/db/stores/runs.store';
import type { CallerInfo } from '../http/caller';
import type { PageQuery } from '../http/page';
import { withoutNulls, pageBody } from '../shared/views';
import type {
  DiscoveryCountDto,
  DiscoveryDto,
  DiscoveryListDto,
  DiscoveryListQuery,
  DiscoveryStatsDto,
  DiscoveryStatsQuery,
} from './dto/discovery.dto';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

/** Discoveries of the caller's runs. */
@Injectable()
export class DiscoveriesService {
  constructor(
    private readonly discoveries: DiscoveriesStore,
    private readonly runs: RunsStore,
  ) {}

  async list(caller: CallerInfo, query: DiscoveryListQuery): Promise<DiscoveryListDto> {
    const { run, profile, entity_type, ...rest } = query;
    const filter = { ...rest, ...withoutNulls({ runId: run, profileId: profile, entityType: entity_type }) };
    return pageBody(await this.discoveries.list(caller.ownerId, filter), discoveryView);
  }

  /** Throws `run_not_found`. */
  async ofRun(caller: CallerInfo, runId: string, query: PageQuery): Promise<DiscoveryListDto> {
    await this.runs.require(caller.ownerId, runId);
    return pageBody(await this.discoveries.list(caller.ownerId, { ...query, runId }), discoveryView);
  }

  /** Throws `invalid_range`. */
  async stats(caller: CallerInfo, query: DiscoveryStatsQuery): Promise<DiscoveryStatsDto> {
    const end = query.before === undefined ? Date.now() : Date.parse(query.before);
    const begin = query.from === undefined ? end - USUAL_DAYS * DAY_MS : Date.parse(query.from);
    if (begin >= end || end - begin > MOST_DAYS * DAY_MS) {
      throw new AppError('invalid_range', `Give a "from" that is at most ${MOST_DAYS} days before "before".`, {
        category: 'bad_request',
      });
    }
    const range = { from: new Date(begin).toISOString(), before: new Date(end).toISOString() };
    const counts = await this.discoveries.stats(caller.ownerId, range);
    return {
      ...range,
      total: counts.reduce((sum, { count }) => sum + count, 0),
      by_type: groupDiscoveries(counts, 'discovery_type'),
      by_entity_type: groupDiscoveries(counts, 'entity_type'),
      by_source: groupDiscoveries(counts, 'source_connector'),
    };
  }
}

function groupDiscoveries(
  counts: DiscoveryCount[],
  by: 'discovery_type' | 'entity_type' | 'source_connector',
): DiscoveryCountDto[] {
  const sums = new Map<string, number>();
  for (const row of counts) {
    const key = row[by];
    if (key !== null) {
      sums.set(key, (sums.get(key) ?? 0) + row.count);
    }
  }
  return [...sums].map(([key, count]) => ({ key, count })).sort((a, b) => b.count - a.count);
}

function discoveryView(row: DiscoveryRow): DiscoveryDto {
  const { run_id, profile_id, created_at, id, discovery_type, details, ...found } = row;
  return {
    id,
    runId: run_id,
    discovery_type,
    details,
    discovered_at: created_at,
    ...withoutNulls({ agent_profile_id: profile_id, ...found }),
  };
}
