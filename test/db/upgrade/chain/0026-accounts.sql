-- Accounts: nobody comes into a team without his consent, and links end with the rights of whoever made them.
set local role af_migrate;

-- ── invitations into teams ──────────────────────────────────────────────────────────────────────
-- Who is in a team sees its agents under their handles, so that is for each to decide. owner_id: who is invited.
create table team_invitations (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references users (id),
  team_id uuid not null references teams (id),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  invited_by uuid not null references users (id),
  created_at timestamptz not null default clock_timestamp(),
  unique (team_id, owner_id)
);
create index team_invitations_owner on team_invitations (owner_id, created_at, id);
alter table team_invitations enable row level security;
alter table team_invitations force row level security;
create policy team_invitations_af_migrate on team_invitations to af_migrate using (true) with check (true);
create policy team_invitations_af_app on team_invitations for select to af_app using (owner_id = (select app_uid()));
grant select on team_invitations to af_app;

-- May somebody of this role give a role, or take it from its holder? As mayGiveRole (core/permissions/team-roles.ts), where
-- owners may also make and unmake owners.
create function af_gives_role(p_by text, p_role text) returns boolean language sql immutable as $$
  select p_by = 'owner' or p_by = 'admin' and p_role in ('member', 'viewer')
$$;

create function af_team_role_of(p_team uuid, p_user uuid) returns text language sql as $$
  select m.role from team_members m join teams t on t.id = m.team_id join users u on u.id = m.user_id
    where m.team_id = p_team and m.user_id = p_user and t.deleted_at is null and u.status = 'active'
$$;

-- Invites somebody by id or handle; again: with another role. `ok`, or why not.
create function app_invite_to_team(p_team uuid, p_user text, p_role text, out outcome text, out invitation_id uuid)
language plpgsql as $$
declare
  v_mine text;
  v_user uuid;
begin
  perform af_lock_team(p_team);
  v_mine := app_team_role(p_team);
  if v_mine is null then
    outcome := 'not_found';
    return;
  elsif v_mine not in ('owner', 'admin') or not af_gives_role(v_mine, p_role) then
    outcome := 'forbidden';
    return;
  end if;
  select u.id into v_user from users u where (u.id::text = lower(p_user) or u.handle = p_user) and u.status = 'active'
    order by (u.id::text = lower(p_user)) desc limit 1;
  if v_user is null then
    outcome := 'user_not_found';
    return;
  elsif exists (select from team_members where team_id = p_team and user_id = v_user) then
    outcome := 'already_member';
    return;
  end if;
  insert into team_invitations as i (owner_id, team_id, role, invited_by) values (v_user, p_team, p_role, app_uid())
    on conflict (team_id, owner_id) do update set role = excluded.role, invited_by = excluded.invited_by
      where af_gives_role(v_mine, i.role)
    returning i.id into invitation_id;
  outcome := case when invitation_id is null then 'forbidden' else 'ok' end;
  if not exists (select from notifications where owner_id = v_user and kind = 'team.invited' and body = p_team::text) then
    insert into notifications (id, owner_id, kind, title, body)
      select gen_random_uuid(), v_user, 'team.invited', left(t.name, 200), p_team::text from teams t where t.id = p_team;
  end if;
end $$;

-- Open invitations of a team, for its owners and admins.
create function app_team_invitations(p_team uuid) returns table (id uuid, team_id uuid, team_name text, user_id uuid,
  handle text, display_name text, role text, invited_by text, created_at timestamptz) language sql as $$
  select i.id, i.team_id, t.name, u.id, u.handle, u.display_name, i.role, b.handle, i.created_at
    from team_invitations i join teams t on t.id = i.team_id join users u on u.id = i.owner_id
      join users b on b.id = i.invited_by
    where i.team_id = p_team and app_team_role(p_team) in ('owner', 'admin')
$$;

-- The caller's own: those that still hold.
create function app_my_invitations() returns table (id uuid, team_id uuid, team_name text, user_id uuid, handle text,
  display_name text, role text, invited_by text, created_at timestamptz) language sql as $$
  select i.id, i.team_id, t.name, u.id, u.handle, u.display_name, i.role, b.handle, i.created_at
    from team_invitations i join teams t on t.id = i.team_id join users u on u.id = i.owner_id
      join users b on b.id = i.invited_by
    where i.owner_id = app_uid() and t.deleted_at is null
      and af_gives_role(af_team_role_of(i.team_id, i.invited_by), i.role)
$$;

-- The answer of whoever is invited. Whoever invited him must still be able to.
create function app_answer_invitation(p_id uuid, p_accept boolean, out outcome text, out team_id uuid) language plpgsql as $$
#variable_conflict use_column
declare
  v_invitation team_invitations;
begin
  select i.team_id into team_id from team_invitations i where i.id = p_id and i.owner_id = app_uid();
  perform af_lock_team(team_id);
  delete from team_invitations i where i.id = p_id and i.owner_id = app_uid() returning * into v_invitation;
  if v_invitation.id is null then
    outcome := 'invitation_not_found';
  elsif not p_accept then
    outcome := 'ok';
  elsif not coalesce(af_gives_role(af_team_role_of(v_invitation.team_id, v_invitation.invited_by), v_invitation.role), false) then
    outcome := 'invitation_not_found';
  else
    insert into team_members (team_id, user_id, role) values (v_invitation.team_id, app_uid(), v_invitation.role)
      on conflict do nothing;
    outcome := 'ok';
  end if;
end $$;

create function app_withdraw_invitation(p_team uuid, p_id uuid) returns text language plpgsql as $$
declare
  v_mine text;
  v_role text;
begin
  perform af_lock_team(p_team);
  v_mine := app_team_role(p_team);
  select role into v_role from team_invitations where id = p_id and team_id = p_team;
  if v_mine is null then
    return 'not_found';
  elsif v_mine not in ('owner', 'admin') then
    return 'forbidden';
  elsif v_role is null then
    return 'invitation_not_found';
  elsif not af_gives_role(v_mine, v_role) then
    return 'forbidden';
  end if;
  delete from team_invitations where id = p_id;
  return 'ok';
end $$;

-- As before, for members alone: p_seen 0, which added somebody, is an invitation now.
create or replace function app_set_team_member(p_team uuid, p_user text, p_role text, p_seen bigint, out outcome text,
  out member_id uuid) language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_mine text;
  v_theirs text;
  v_version bigint;
begin
  perform af_lock_team(p_team);
  v_mine := app_team_role(p_team);
  select u.id into member_id from users u where u.id::text = lower(p_user) or u.handle = p_user
    order by (u.id::text = lower(p_user)) desc limit 1;
  select role, row_version into v_theirs, v_version from team_members where team_id = p_team and user_id = member_id;
  if v_mine is null then
    outcome := 'not_found';
  elsif v_mine not in ('owner', 'admin') then
    outcome := 'forbidden';
  elsif v_theirs is null then
    outcome := 'member_not_found';
  elsif not (af_gives_role(v_mine, p_role) and af_gives_role(v_mine, v_theirs)) then
    outcome := 'forbidden';
  elsif p_role <> 'owner' and af_is_last_owner(p_team, member_id) then
    outcome := 'last_owner';
  elsif p_seen <> v_version then
    outcome := 'stale';
  else
    update team_members set role = p_role where team_id = p_team and user_id = member_id;
    outcome := 'ok';
  end if;
end $$;

-- An owner whose account is not in use leads no team.
create or replace function af_is_last_owner(p_team uuid, p_user uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from team_members where team_id = p_team and user_id = p_user and role = 'owner')
    and not exists (select from team_members m join users u on u.id = m.user_id and u.status = 'active'
      where m.team_id = p_team and m.user_id <> p_user and m.role = 'owner')
$$;

-- ── shares ──────────────────────────────────────────────────────────────────────────────────────
-- What others shared with a team is its owners' and admins' to narrow (team right `settings`): switched off, or taken away. To
-- widen it stays with the profile's owner.
create function app_narrow_share(p_profile uuid, p_team uuid, p_fields json, p_seen bigint) returns text language plpgsql as $$
declare
  v_share agent_team_shares;
  v_visibility constant text[] := array['own_only', 'own_and_scheduled', 'full'];
begin
  select * into v_share from agent_team_shares where profile_id = p_profile and team_id = p_team for update;
  if v_share.id is null or app_team_role(p_team) is null then
    return 'share_not_found';
  elsif app_team_role(p_team) not in ('owner', 'admin') then
    return 'forbidden';
  elsif coalesce((p_fields ->> 'is_active')::boolean, false) and not v_share.is_active
    or coalesce((p_fields ->> 'team_file_access')::boolean, false) and not v_share.team_file_access
    or coalesce((p_fields ->> 'team_post_access')::boolean, false) and not v_share.team_post_access
    or coalesce(array_position(v_visibility, p_fields ->> 'journal_visibility'), 0)
      > array_position(v_visibility, v_share.journal_visibility) then
    return 'only_narrower';
  elsif p_seen <> v_share.row_version then
    return 'stale';
  end if;
  update agent_team_shares set is_active = coalesce((p_fields ->> 'is_active')::boolean, is_active),
    team_file_access = coalesce((p_fields ->> 'team_file_access')::boolean, team_file_access),
    team_post_access = coalesce((p_fields ->> 'team_post_access')::boolean, team_post_access),
    journal_visibility = coalesce(p_fields ->> 'journal_visibility', journal_visibility), updated_at = clock_timestamp()
    where id = v_share.id;
  return 'ok';
end $$;

-- ── links and signing in ────────────────────────────────────────────────────────────────────────
alter table one_time_links add column made_by uuid references users (id);
create index one_time_links_made_by on one_time_links (made_by) where used_at is null;

-- A link that sets a password is worth what its maker may do now. Older ones have no maker, and a day to live.
create function af_link_holds(p_link one_time_links) returns boolean language sql stable as $$
  select p_link.purpose <> 'password_reset' or exists (
    select from users u where u.id = p_link.made_by and u.status = 'active' and 'global:admin' = any(u.scopes))
$$;

create or replace function af_link(p_hash text) returns table (purpose text, user_id uuid, handle text, loopback boolean,
  expires_at timestamptz) language plpgsql stable rows 1 security definer
  set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select l.purpose, u.id, u.handle, l.loopback, l.expires_at from one_time_links l join users u on u.id = l.user_id
      where l.hash = p_hash and l.used_at is null and l.expires_at > clock_timestamp() and u.status = 'active'
        and af_link_holds(l)
    union all
    select 'invite', null, i.handle, false, i.expires_at from invites i join users u on u.id = i.owner_id
      where i.hash = p_hash and i.accepted_at is null and i.revoked_at is null and i.expires_at > clock_timestamp()
        and u.status = 'active';
end $$;

create or replace function af_use_link(p_hash text, p_password text, p_handle text, p_name text)
returns table (outcome text, user_id uuid, handle text) language plpgsql rows 1 security definer
  set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  v_link one_time_links;
  v_user users;
begin
  select * into v_link from one_time_links l where l.hash = p_hash and l.used_at is null
    and l.expires_at > clock_timestamp() for update;
  if found and af_link_holds(v_link) then
    select * into v_user from users u where u.id = v_link.user_id and u.status = 'active' for update;
  end if;
  if v_user.id is null then
    return query select 'invalid', null::uuid, null;
    return;
  end if;
  if v_link.purpose = 'first_admin' then
    if exists (select from users u where u.handle = p_handle and u.id <> v_user.id) then
      return query select 'taken', null::uuid, null;
      return;
    end if;
    update users u set handle = p_handle, display_name = p_name where u.id = v_user.id;
    v_user.handle := p_handle;
  end if;
  update one_time_links set used_at = clock_timestamp() where id = v_link.id;
  if v_link.purpose <> 'sign_in' then
    perform af_set_password(v_user.id, p_password, null);
  end if;
  return query select 'ok', v_user.id, v_user.handle;
end $$;

-- ── audit ───────────────────────────────────────────────────────────────────────────────────────
-- The path of the object, so that an entry can say what the one before it left there.
alter table audit_log add column object_path text;
create index audit_log_object on audit_log (object_path, at, id) where object_path is not null;

drop function af_audit(uuid, text, text, uuid, text, text, text, text, text, text, text);
create function af_audit(p_owner uuid, p_actor text, p_means text, p_credential uuid, p_action text, p_type text,
  p_object text, p_peer text, p_request text, p_before text, p_after text, p_path text) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into audit_log (owner_id, actor, means, credential_id, action, object_type, object_id, peer, request_id,
      before_digest, after_digest, object_path)
    values (p_owner, p_actor, p_means, p_credential, p_action, p_type, p_object, p_peer, p_request,
      coalesce(p_before, (select a.after_digest from audit_log a where a.object_path = p_path
        order by a.at desc, a.id desc limit 1)), p_after, p_path);
end $$;
grant execute on function af_audit(uuid, text, text, uuid, text, text, text, text, text, text, text, text) to af_login;

-- af_begin_login forgets what is older than a day.
create index login_attempts_at on login_attempts (at);

-- What happens to accounts is the platform's transaction, and the answer to a request is kept in the transaction of its effect.
-- False: whoever asks does not hold the claim any more.
create function af_keep_answer(p_owner uuid, p_method text, p_route text, p_key text, p_claim uuid, p_status integer, p_etag text,
  p_answer json) returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update idempotency_keys set status = p_status, etag = p_etag, answer = p_answer
    where owner_id = p_owner and method = p_method and route = p_route and key = p_key and claim_id = p_claim;
  return found;
end $$;
create policy idempotency_keys_af_migrate on idempotency_keys to af_migrate using (true) with check (true);
grant execute on function af_keep_answer(uuid, text, text, text, uuid, integer, text, json) to af_system;
grant insert on api_keys to af_system;

do $$
declare
  v record;
begin
  for v in select p.oid::regprocedure as name, p.proname like 'app\_%' as for_app from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname in ('af_gives_role', 'af_team_role_of', 'app_invite_to_team',
      'app_team_invitations', 'app_my_invitations', 'app_answer_invitation', 'app_withdraw_invitation', 'app_narrow_share',
      'af_link_holds')
  loop
    execute format('alter function %s security definer', v.name);
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', v.name);
    if v.for_app then
      execute format('grant execute on function %s to af_app', v.name);
    end if;
  end loop;
end $$;

reset role;
