import type { ApiKeyRow } from '../../infra/db/stores/identity/api-keys.store';
import type { InviteRow } from '../../infra/db/stores/identity/invites.store';
import type { SessionRow } from '../../infra/db/stores/identity/sessions.store';
import type { UserRow } from '../../infra/db/stores/identity/users.store';
import { withoutNulls } from '../shared/views';
import type { ApiKeyDto } from './dto/api-key.dto';
import type { InviteDto, SessionDto, UserDto } from './dto/user.dto';

export function userView({ managed_by, deactivated_at, ...user }: UserRow): UserDto {
  return { ...user, ...withoutNulls({ managed_by, deactivated_at }) };
}

export function keyView({ scopes, objects, expires_at, last_used_at, ...key }: ApiKeyRow): ApiKeyDto {
  return { ...key, ...withoutNulls({ scopes, objects, expires_at, last_used_at }) };
}

export function inviteView({ owner_id: _inviter, handle, accepted_at, accepted_by, ...invite }: InviteRow): InviteDto {
  return { ...invite, ...withoutNulls({ handle, accepted_at, accepted_by }) };
}

export function sessionView({ client, ...session }: SessionRow, currentId: string): SessionDto {
  return { ...session, ...withoutNulls({ client }), current: session.id === currentId };
}
