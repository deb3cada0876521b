import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import type { Plan } from '../../core/playbook/types';
import { PlaybooksStore } from '../../infra/db/stores/definitions.store';
import type { VersionRow } from '../../infra/db/stores/definition-types';
import { notFound } from '../../infra/db/stores/not-found';
import { ProfileDefinitionsStore } from '../../infra/db/stores/profile-definitions.store';
import type { ProfileRow } from '../../infra/db/stores/profile-types';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import type { NewRun } from '../../infra/db/stores/run-types';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { SharesStore } from '../../infra/db/stores/shares.store';
import { refusal } from '../../infra/db/stores/team-refusals';
import type { CallerInfo } from '../http/caller';
import type { StartRunDto } from './dto/start-run.dto';

type RunProfile = NonNullable<NewRun['profile']>;

/** Facts of a run for a profile, which may belong to another person. */
@Injectable()
export class ProfileRuns {
  constructor(
    private readonly profiles: ProfilesStore,
    private readonly shares: SharesStore,
    private readonly definitions: ProfileDefinitionsStore,
    private readonly playbooks: PlaybooksStore,
    private readonly runs: RunsStore,
  ) {}

  /**
   * The profile of a new run: one's own, or one that a team of the caller's may use.
   * Throws `profile_not_found`, `profile_inactive`, `share_not_found`, `team_role_required`, `team_without_profile`.
   */
  async choose(caller: CallerInfo, body: StartRunDto): Promise<{ row: ProfileRow; at: RunProfile } | undefined> {
    if (body.profile_id === undefined) {
      if (body.team_id !== undefined) {
        throw new AppError('team_without_profile', 'A run in a team is for a profile: give profile_id as well.', {
          category: 'validation',
        });
      }
      return undefined;
    }
    const row = await this.profiles.require(caller.ownerId, body.profile_id);
    if (!row.is_active) {
      throw new AppError('profile_inactive', `The profile @${row.handle} is not active, so it starts no runs.`, {
        category: 'conflict',
      });
    }
    const teamId = body.team_id ?? null;
    const own = row.owner_id === caller.ownerId;
    return { row, at: { id: row.id, team_id: own && teamId === null ? null : await this.team(caller, row, teamId) } };
  }

  /** Throws `playbook_not_found`. Another's profile runs what it has as skills, and nothing else. */
  async version(
    caller: CallerInfo,
    profileId: string,
    body: StartRunDto,
  ): Promise<{ version: VersionRow<Plan>; lastStartedAt: string | null }> {
    const found = await this.definitions.playbookVersion(caller.ownerId, profileId, {
      ref: body.playbook,
      ...(body.version === undefined ? {} : { version: body.version }),
    });
    const version = found === null ? null : await this.playbooks.version(caller.ownerId, found.version_id);
    if (found === null || version === null) {
      throw notFound('playbook', body.playbook, [], 'GET /profiles/{id}/skills lists what this one may run.');
    }
    return { version, lastStartedAt: await this.runs.lastExecution(caller.ownerId, found.playbook_id) };
  }

  private async team(caller: CallerInfo, row: ProfileRow, teamId: string | null): Promise<string> {
    const [first, ...others] = await this.shares.usable(caller.ownerId, row.id, teamId);
    if (first === undefined) {
      throw new AppError('share_not_found', 'This profile is not shared with this team.', { category: 'not_found' });
    }
    const usable = [first, ...others].find((share) => share.role !== 'viewer');
    if (usable === undefined) {
      throw refusal('forbidden');
    }
    return usable.team_id;
  }
}
