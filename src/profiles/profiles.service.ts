import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../core/base/json';
import type { SeenVersion } from '../../infra/db/row-version';
import type { ProfileFields, ProfileRow } from '../../infra/db/stores/profile-types';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import type { CallerInfo } from '../http/caller';
import { versioned, type VersionedBody } from '../http/etag';
import type { Once } from '../http/idempotency/once';
import type { PageQuery } from '../http/page';
import { changesOf } from '../shared/changes';
import { pageBody } from '../shared/views';
import type {
  CreateProfileDto,
  DuplicateProfileDto,
  ProfileDto,
  ProfileListDto,
  UpdateProfileDto,
} from './dto/profile.dto';
import { profileView } from './profile-view';

/** Agent profiles. One that is not shared with the caller is 404; a shared one that they may not change is 403. */
@Injectable()
export class ProfilesService {
  constructor(private readonly profiles: ProfilesStore) {}

  /** Throws `handle_taken`. */
  create(caller: CallerInfo, body: CreateProfileDto, once: Once): Promise<VersionedBody<ProfileDto>> {
    return once.tx(async (sql) =>
      profileBody(
        await this.profiles.create(caller.ownerId, { ...fieldsOf(body), handle: body.handle, name: body.name }, sql),
        caller,
      ),
    );
  }

  async list(caller: CallerInfo, query: PageQuery): Promise<ProfileListDto> {
    return pageBody(await this.profiles.list(caller.ownerId, query), (row) => profileView(row, caller.ownerId));
  }

  /** Throws `profile_not_found`. */
  async get(caller: CallerInfo, id: string): Promise<VersionedBody<ProfileDto>> {
    return profileBody(await this.profiles.require(caller.ownerId, id), caller);
  }

  /** Throws `profile_not_found`, `not_profile_owner`, `handle_taken`, `precondition_failed`. */
  async update(
    caller: CallerInfo,
    id: string,
    body: UpdateProfileDto,
    seen: SeenVersion,
  ): Promise<VersionedBody<ProfileDto>> {
    return profileBody(await this.profiles.update(caller.ownerId, id, fieldsOf(body), seen), caller);
  }

  /** Throws as `update`. Runs in flight go on, and the journal stays. */
  remove(caller: CallerInfo, id: string, seen: SeenVersion): Promise<void> {
    return this.profiles.remove(caller.ownerId, id, seen);
  }

  /** Throws `profile_not_found`, `not_profile_owner`, `handle_taken`. */
  async duplicate(
    caller: CallerInfo,
    id: string,
    body: DuplicateProfileDto,
    once: Once,
  ): Promise<VersionedBody<ProfileDto>> {
    const source = await this.profiles.requireOwn(caller.ownerId, id);
    return once.tx(async (sql) => profileBody(await this.profiles.duplicate(sql, source, body), caller));
  }
}

function profileBody(row: ProfileRow, caller: CallerInfo): VersionedBody<ProfileDto> {
  return versioned(profileView(row, caller.ownerId), row);
}

/** Parts of a body that are objects of their own are documents to the store. */
function fieldsOf(body: UpdateProfileDto): ProfileFields & { handle?: string; name?: string } {
  const { knowledge_config, journal_config, ...rest } = body;
  return {
    ...changesOf(rest),
    ...changesOf({
      knowledge_config: knowledge_config as unknown as JsonObject | undefined,
      journal_config: journal_config as unknown as JsonObject | undefined,
    }),
  };
}
