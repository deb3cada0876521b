import { Injectable } from '@nestjs/common';
import { ProfileJournalStore, type ProfileJournalRow } from '../../infra/db/stores/profile-journal.store';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import type { CallerInfo } from '../http/caller';
import { journalEntry } from '../journal/journal.service';
import { withoutNulls, pageBody } from '../shared/views';
import type {
  JournalSummaryDto,
  JournalSummaryQuery,
  ProfileJournalEntryDto,
  ProfileJournalListDto,
  ProfileJournalQuery,
} from './dto/profile-journal.dto';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 7;
const MOST_COUNTED = 1_000;
const LATEST = 5;

/** The work journal of one agent, as far as the caller may see it. */
@Injectable()
export class ProfileJournalService {
  constructor(
    private readonly profiles: ProfilesStore,
    private readonly journal: ProfileJournalStore,
  ) {}

  /** Throws `profile_not_found`. */
  async list(caller: CallerInfo, id: string, query: ProfileJournalQuery): Promise<ProfileJournalListDto> {
    await this.profiles.require(caller.ownerId, id);
    return pageBody(await this.journal.list(caller.ownerId, id, query), entryView);
  }

  /** Throws `profile_not_found`. */
  async summary(caller: CallerInfo, id: string, query: JournalSummaryQuery): Promise<JournalSummaryDto> {
    await this.profiles.require(caller.ownerId, id);
    const since = new Date(Date.now() - (query.days ?? USUAL_DAYS) * DAY_MS).toISOString();
    const [counts, latest] = await Promise.all([
      this.journal.counts(caller.ownerId, id, since, MOST_COUNTED),
      this.journal.list(caller.ownerId, id, { from: since, limit: LATEST }),
    ]);
    const sum = (of: 'entries' | 'steps_completed' | 'entities_discovered'): number =>
      counts.reduce((total, row) => total + row[of], 0);
    return {
      since,
      entries: sum('entries'),
      capped: sum('entries') === MOST_COUNTED,
      by_status: counts.map(({ task_status, entries }) => ({ entries, ...withoutNulls({ status: task_status }) })),
      steps_completed: sum('steps_completed'),
      entities_discovered: sum('entities_discovered'),
      latest: latest.items.map(entryView),
    };
  }
}

function entryView(row: ProfileJournalRow): ProfileJournalEntryDto {
  return { ...journalEntry(row), invoked_by: row.owner_id, ...withoutNulls({ team_id: row.team_id }) };
}
