import { Injectable } from '@nestjs/common';
import { suggestionOr } from '../../core/base/did-you-mean';
import { AppError } from '../../core/errors/app-error';
import { teamMay } from '../../core/permissions/team-roles';
import type { SeenVersion } from '../../infra/db/row-version';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import { SharesStore, type SharePlace } from '../../infra/db/stores/shares.store';
import { refusal } from '../../infra/db/stores/team-refusals';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import type { CallerInfo } from '../http/caller';
import { versioned, type VersionedBody } from '../http/etag';
import type { Once } from '../http/idempotency/once';
import type { PageQuery } from '../http/page';
import { changesOf } from '../shared/changes';
import { withoutNulls, pageBody } from '../shared/views';
import type {
  AvailableAgentListDto,
  AvailableAgentsQuery,
  ResolvedHandleDto,
  ResolveHandleQuery,
  ShareDto,
  ShareFieldsDto,
  ShareListDto,
  ShareProfileDto,
} from './dto/share.dto';
import { availableView, shareView } from './profile-view';

const USUAL = 50;

/** Number of handles with which an unknown one is compared. */
const KNOWN_HANDLES = 500;

/** Profiles in the hands of teams, and what may be called by its handle. */
@Injectable()
export class SharesService {
  constructor(
    private readonly profiles: ProfilesStore,
    private readonly shares: SharesStore,
    private readonly teams: TeamsStore,
  ) {}

  /** Throws `profile_not_found`, `not_profile_owner`, `team_not_found`, `team_role_required`, `already_shared`. */
  async share(
    caller: CallerInfo,
    profileId: string,
    { team_id: teamId, ...fields }: ShareProfileDto,
    once: Once,
  ): Promise<VersionedBody<ShareDto>> {
    await this.profiles.requireOwn(caller.ownerId, profileId);
    if (!teamMay((await this.teams.require(caller.ownerId, teamId)).role, 'share')) {
      throw refusal('forbidden');
    }
    return once.tx(async (sql) => {
      const row = await this.shares.share(caller.ownerId, { profileId, teamId }, changesOf(fields), sql);
      return versioned(shareView(row), row);
    });
  }

  /**
   * Changes a share: its owner freely, owners and admins of the team towards fewer rights. Throws `profile_not_found`,
   * `not_profile_owner`, `team_role_required`, `only_narrower`, `share_not_found`, `precondition_failed`.
   */
  async update(
    caller: CallerInfo,
    at: SharePlace,
    body: ShareFieldsDto,
    seen: SeenVersion,
  ): Promise<VersionedBody<ShareDto>> {
    const profile = await this.profiles.require(caller.ownerId, at.profileId);
    const own = profile.owner_id === caller.ownerId;
    if (!own && !(await this.manages(caller, at.teamId))) return this.refuseOwnersAlone(caller, at.profileId);
    const row = own
      ? await this.shares.update(caller.ownerId, at, changesOf(body), seen)
      : await this.shares.narrow(caller.ownerId, at, changesOf(body), seen);
    return versioned(shareView(row), row);
  }

  /** The profile's owner, and owners and admins of the team. Throws as `update` does. */
  async unshare(caller: CallerInfo, at: SharePlace, seen: SeenVersion): Promise<void> {
    const profile = await this.profiles.require(caller.ownerId, at.profileId);
    if (profile.owner_id !== caller.ownerId && !(await this.manages(caller, at.teamId))) {
      throw refusal('forbidden');
    }
    await this.shares.unshare(caller.ownerId, at, seen);
  }

  /** Owners and admins of a team see to what others shared with it. Throws `team_not_found`. */
  private async manages(caller: CallerInfo, teamId: string): Promise<boolean> {
    return teamMay((await this.teams.require(caller.ownerId, teamId)).role, 'settings');
  }

  /** Throws `profile_not_found`, `not_profile_owner`. */
  private async refuseOwnersAlone(caller: CallerInfo, profileId: string): Promise<never> {
    await this.profiles.requireOwn(caller.ownerId, profileId);
    throw refusal('forbidden');
  }

  /** Throws `profile_not_found`, `not_profile_owner`. */
  async list(caller: CallerInfo, profileId: string, query: PageQuery): Promise<ShareListDto> {
    await this.profiles.requireOwn(caller.ownerId, profileId);
    return pageBody(await this.shares.ofProfile(caller.ownerId, profileId, query), shareView);
  }

  /** Throws `handle_not_found`. */
  async resolve(caller: CallerInfo, { handle, team }: ResolveHandleQuery): Promise<ResolvedHandleDto> {
    const wanted = withoutAt(handle);
    const found = await this.shares.resolve(caller.ownerId, wanted, team);
    if (found === null) {
      const known = (await this.shares.available(caller.ownerId, '', KNOWN_HANDLES)).map((agent) => agent.handle);
      const way = suggestionOr(wanted, known, 'GET /available-agents lists them.');
      throw new AppError('handle_not_found', `Neither you nor a team of yours has an active agent @${wanted}. ${way}`, {
        category: 'not_found',
      });
    }
    return {
      agent_profile_id: found.agent_profile_id,
      name: found.name,
      owner: found.team_id === null ? 'user' : 'team',
      ...withoutNulls({ icon: found.icon, team_id: found.team_id }),
    };
  }

  async available(caller: CallerInfo, { q, limit }: AvailableAgentsQuery): Promise<AvailableAgentListDto> {
    const rows = await this.shares.available(caller.ownerId, withoutAt(q ?? ''), limit ?? USUAL);
    return { items: rows.map(availableView) };
  }
}

function withoutAt(handle: string): string {
  return handle.replace(/^@/, '').toLowerCase();
}
