-- Who is asking: people and service accounts, what they sign in with, and what they did.
--
-- Secrets of people are kept as hashes (SHA-256 of a random token, argon2id of a password). What has to be looked up
-- before there is a user goes through the functions below, each for one secret; everything else runs under a principal.

set local role af_migrate;

-- ── accounts ────────────────────────────────────────────────────────────────────────────────────
-- Never deleted: what they did stays theirs. The row that was the one local user is the first administrator.
alter table users
  add column kind text not null default 'person' check (kind in ('person', 'service')),
  add column status text not null default 'active' check (status in ('active', 'deactivated', 'anonymised')),
  add column scopes text[] not null default '{}',
  -- Of a service account: who made it and may take it back.
  add column managed_by uuid references users (id),
  add column deactivated_at timestamptz;
alter table users add constraint users_managed check ((kind = 'service') = (managed_by is not null));
create index users_managed_by on users (managed_by) where managed_by is not null;
update users set scopes = '{global:admin}' where id = '00000000-0000-4000-8000-000000000001';

create table passwords (
  owner_id uuid primary key references users (id),
  -- PHC string of argon2id.
  hash text not null,
  changed_at timestamptz not null default clock_timestamp()
);

-- A browser's session (its cookie holds the secret), or a family of refresh tokens.
create table sessions (
  id uuid primary key,
  owner_id uuid not null references users (id),
  kind text not null check (kind in ('browser', 'token')),
  secret_hash text unique,
  client text,
  peer text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_why text,
  check ((kind = 'browser') = (secret_hash is not null))
);
create index sessions_owner on sessions (owner_id, created_at, id);

create table refresh_tokens (
  hash text primary key,
  session_id uuid not null references sessions (id),
  owner_id uuid not null references users (id),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_session on refresh_tokens (session_id);

create table api_keys (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  -- The beginning of the key, to tell keys apart.
  prefix text not null,
  hash text not null unique,
  -- Null: all that its owner has. In any case no more than he has at the moment of a call.
  scopes text[],
  read_only boolean not null default false,
  may_decide boolean not null default false,
  -- Null: everything of its owner's; else these objects alone.
  objects uuid[],
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_owner on api_keys (owner_id, created_at, id);

create table invites (
  id uuid primary key,
  -- Who invites.
  owner_id uuid not null references users (id),
  hash text not null unique,
  -- Null: whoever is invited chooses.
  handle text,
  scopes text[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references users (id),
  revoked_at timestamptz
);
create index invites_owner on invites (owner_id, created_at, id);

-- ── of the installation ─────────────────────────────────────────────────────────────────────────
create table one_time_links (
  id uuid primary key,
  purpose text not null check (purpose in ('first_admin', 'sign_in', 'password_reset')),
  user_id uuid not null references users (id),
  hash text not null unique,
  -- Can be used from this machine alone.
  loopback boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index one_time_links_user on one_time_links (user_id) where used_at is null;

create table login_attempts (
  id bigint generated always as identity primary key,
  account text not null,
  peer text not null,
  at timestamptz not null default clock_timestamp(),
  ok boolean not null default false
);
create index login_attempts_account on login_attempts (account, at) where not ok;
create index login_attempts_peer on login_attempts (peer, at) where not ok;

-- Keys that access tokens are signed with (EdDSA). The private part is encrypted by the application.
create table signing_keys (
  kid text primary key,
  public_key text not null,
  private_key bytea not null,
  -- The master key that the private part is encrypted under.
  key_id text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Signs no more since then; what it signed is read until it expires.
  retired_at timestamptz
);

-- Who did what to which object, from where. Nobody may change or remove an entry.
create table audit_log (
  id uuid primary key default gen_random_uuid(),
  -- Who did it.
  owner_id uuid not null references users (id),
  actor text not null,
  means text not null,
  credential_id uuid,
  action text not null,
  object_type text,
  object_id text,
  peer text not null,
  request_id text,
  before_digest text,
  after_digest text,
  at timestamptz not null default clock_timestamp()
);
create index audit_log_owner on audit_log (owner_id, at, id);
create index audit_log_at on audit_log (at, id);

do $$
declare
  v_table text;
begin
  foreach v_table in array array['passwords', 'sessions', 'refresh_tokens', 'api_keys', 'invites', 'audit_log',
    'one_time_links', 'login_attempts', 'signing_keys'] loop
    execute format('alter table %I enable row level security', v_table);
    execute format('alter table %I force row level security', v_table);
    execute format('create policy %I on %I to af_migrate using (true) with check (true)', v_table || '_af_migrate', v_table);
  end loop;
  foreach v_table in array array['passwords', 'sessions', 'refresh_tokens', 'api_keys', 'invites', 'audit_log'] loop
    execute format('create policy %I on %I to af_app using (owner_id = (select app_uid()))
      with check (owner_id = (select app_uid()))', v_table || '_af_app', v_table);
  end loop;
  -- Accounts are managed by the platform, behind the rights that the guard has read.
  foreach v_table in array array['users', 'passwords', 'sessions', 'api_keys', 'invites', 'audit_log', 'one_time_links',
    'signing_keys'] loop
    execute format('create policy %I on %I to af_system using (true) with check (true)', v_table || '_af_system', v_table);
  end loop;
end $$;

grant select (owner_id, changed_at) on passwords to af_app, af_system;
grant select (owner_id, session_id, created_at, expires_at, used_at) on refresh_tokens to af_app;
grant select on sessions, api_keys, invites, audit_log to af_app, af_system;
grant insert on api_keys, audit_log to af_app;
grant update (revoked_at, revoked_why) on sessions to af_app, af_system;
grant update (revoked_at) on api_keys to af_app, af_system;
grant insert on audit_log, invites, one_time_links, signing_keys, users to af_system;
grant update (revoked_at) on invites to af_system;
grant select on users, one_time_links, signing_keys to af_system;
grant update (handle, display_name, status, scopes, deactivated_at) on users to af_system;
grant update (used_at) on one_time_links to af_system;
grant update (retired_at) on signing_keys to af_system;
grant delete on signing_keys to af_system;

-- ── before there is a user ──────────────────────────────────────────────────────────────────────
-- Whose credential this is, and what it may; nothing where it is unknown, ended, or its user's account is. `token`: the
-- session that a signed access token names.
create function af_identify(p_means text, p_ref text, p_user uuid) returns table (user_id uuid, handle text, kind text,
  scopes text[], session_id uuid, key_id uuid, key_scopes text[], read_only boolean, may_decide boolean, objects uuid[])
language plpgsql rows 1 as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
  v_session uuid;
begin
  if p_means = 'key' then
    update api_keys k set last_used_at = v_now where k.hash = p_ref
      and (k.last_used_at is null or k.last_used_at < v_now - interval '1 minute');
    return query select u.id, u.handle, u.kind, u.scopes, null::uuid, k.id, k.scopes, k.read_only, k.may_decide, k.objects
      from api_keys k join users u on u.id = k.owner_id
      where k.hash = p_ref and k.revoked_at is null and (k.expires_at is null or k.expires_at > v_now)
        and u.status = 'active';
    return;
  end if;
  if p_means = 'cookie' then
    select s.id into v_session from sessions s where s.secret_hash = p_ref;
  else
    select s.id into v_session from sessions s where s.id = p_ref::uuid and s.kind = 'token' and s.owner_id = p_user;
  end if;
  update sessions s set last_seen_at = v_now where s.id = v_session and s.last_seen_at < v_now - interval '1 minute';
  return query select u.id, u.handle, u.kind, u.scopes, s.id, null::uuid, null::text[], false, true, null::uuid[]
    from sessions s join users u on u.id = s.owner_id
    where s.id = v_session and s.revoked_at is null and s.expires_at > v_now and u.status = 'active';
end $$;

-- The account of a handle with its password's hash, and the number of this attempt, which counts as failed until
-- af_end_login says otherwise. After too many failures of the account or from the peer: only how long to wait.
create function af_begin_login(p_handle text, p_peer text, p_per_account integer, p_per_peer integer, p_seconds integer)
returns table (attempt bigint, wait_seconds integer, user_id uuid, hash text) language plpgsql rows 1 as $$
#variable_conflict use_column
declare
  v_since constant timestamptz := clock_timestamp() - make_interval(secs => p_seconds);
  v_oldest timestamptz;
  v_attempt bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('login ' || p_handle, 0));
  delete from login_attempts where at < v_since - interval '1 day';
  select max(at) into v_oldest from (
    (select at from login_attempts where not ok and account = p_handle and at > v_since
      order by at desc offset p_per_account - 1 limit 1)
    union all
    (select at from login_attempts where not ok and peer = p_peer and at > v_since
      order by at desc offset p_per_peer - 1 limit 1)) as full_windows;
  if v_oldest is not null then
    return query select null::bigint, ceil(extract(epoch from v_oldest - v_since))::integer, null::uuid, null::text;
    return;
  end if;
  insert into login_attempts (account, peer) values (p_handle, p_peer) returning id into v_attempt;
  return query select v_attempt, null::integer, u.id, p.hash from (select 1) as one
    left join users u on u.handle = p_handle and u.status = 'active'
    left join passwords p on p.owner_id = u.id;
end $$;

create function af_end_login(p_attempt bigint) returns void language plpgsql as $$
begin
  update login_attempts set ok = true where account = (select account from login_attempts where id = p_attempt) and not ok;
end $$;

-- A session for an account that has just proved who it is. False: the account is not active.
create function af_open_session(p_id uuid, p_owner uuid, p_secret_hash text, p_refresh_hash text, p_client text,
  p_peer text, p_seconds integer) returns boolean language plpgsql as $$
declare
  v_until constant timestamptz := clock_timestamp() + make_interval(secs => p_seconds);
begin
  perform from users where id = p_owner and status = 'active' for share;
  if not found then
    return false;
  end if;
  insert into sessions (id, owner_id, kind, secret_hash, client, peer, expires_at)
    values (p_id, p_owner, case when p_secret_hash is null then 'token' else 'browser' end, p_secret_hash, p_client, p_peer,
      v_until);
  if p_refresh_hash is not null then
    insert into refresh_tokens (hash, session_id, owner_id, expires_at) values (p_refresh_hash, p_id, p_owner, v_until);
  end if;
  return true;
end $$;

-- Takes a refresh token and puts the next one in its place. One that was used before ends the whole family, unless that
-- was a moment ago: two tabs of one browser ask at the same time.
create function af_refresh(p_hash text, p_next text, p_grace integer) returns table (outcome text, user_id uuid, handle text,
  scopes text[], session_id uuid, expires_at timestamptz) language plpgsql rows 1 as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
  v_token refresh_tokens;
  v_session sessions;
  v_user users;
begin
  select * into v_token from refresh_tokens where hash = p_hash for update;
  if not found then
    return query select 'unknown', null::uuid, null, null::text[], null::uuid, null::timestamptz;
    return;
  end if;
  select * into v_session from sessions s where s.id = v_token.session_id for update;
  select * into v_user from users u where u.id = v_token.owner_id for share;
  if v_session.revoked_at is not null or v_session.expires_at <= v_now or v_token.expires_at <= v_now
    or v_user.status <> 'active' then
    return query select 'ended', v_user.id, v_user.handle, null::text[], v_session.id, null::timestamptz;
    return;
  end if;
  if v_token.used_at < v_now - make_interval(secs => p_grace) then
    update sessions set revoked_at = v_now, revoked_why = 'refresh_token_reused' where id = v_session.id;
    return query select 'reused', v_user.id, v_user.handle, null::text[], v_session.id, null::timestamptz;
    return;
  end if;
  update refresh_tokens set used_at = coalesce(used_at, v_now) where hash = p_hash;
  update sessions set last_seen_at = v_now where id = v_session.id;
  insert into refresh_tokens (hash, session_id, owner_id, expires_at)
    values (p_next, v_session.id, v_user.id, v_session.expires_at);
  return query select 'ok', v_user.id, v_user.handle, v_user.scopes, v_session.id, v_session.expires_at;
end $$;

-- A new password ends all sessions but the one it was set in, and links that would set another.
create function af_set_password(p_user uuid, p_hash text, p_keep uuid) returns void language plpgsql as $$
begin
  insert into passwords (owner_id, hash) values (p_user, p_hash)
    on conflict (owner_id) do update set hash = excluded.hash, changed_at = clock_timestamp();
  update sessions set revoked_at = clock_timestamp(), revoked_why = 'password_changed'
    where owner_id = p_user and revoked_at is null and id is distinct from p_keep;
  update one_time_links set used_at = clock_timestamp()
    where user_id = p_user and used_at is null and purpose in ('first_admin', 'password_reset');
end $$;

-- What a link or an invitation is for, while it can be used. Looking uses nothing up.
create function af_link(p_hash text) returns table (purpose text, user_id uuid, handle text, loopback boolean,
  expires_at timestamptz) language plpgsql stable rows 1 as $$
#variable_conflict use_column
begin
  return query
    select l.purpose, u.id, u.handle, l.loopback, l.expires_at from one_time_links l join users u on u.id = l.user_id
      where l.hash = p_hash and l.used_at is null and l.expires_at > clock_timestamp() and u.status = 'active'
    union all
    select 'invite', null, i.handle, false, i.expires_at from invites i join users u on u.id = i.owner_id
      where i.hash = p_hash and i.accepted_at is null and i.revoked_at is null and i.expires_at > clock_timestamp()
        and u.status = 'active';
end $$;

-- Uses a link up. The password's hash where it sets one, a handle and a name for the first administrator.
create function af_use_link(p_hash text, p_password text, p_handle text, p_name text)
returns table (outcome text, user_id uuid, handle text) language plpgsql rows 1 as $$
#variable_conflict use_column
declare
  v_link one_time_links;
  v_user users;
begin
  select * into v_link from one_time_links l where l.hash = p_hash and l.used_at is null
    and l.expires_at > clock_timestamp() for update;
  if found then
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

-- A new person; with an invitation, what it says. Without one the caller has made sure that anybody may.
create function af_register(p_id uuid, p_handle text, p_name text, p_password text, p_invite text) returns text
language plpgsql as $$
declare
  v_invite invites;
begin
  if p_invite is not null then
    select i.* into v_invite from invites i join users u on u.id = i.owner_id and u.status = 'active'
      where i.hash = p_invite and i.accepted_at is null and i.revoked_at is null and i.expires_at > clock_timestamp()
      for update of i;
    if not found or coalesce(v_invite.handle, p_handle) <> p_handle then
      return 'invalid';
    end if;
  end if;
  insert into users (id, handle, display_name, scopes) values (p_id, p_handle, p_name, coalesce(v_invite.scopes, '{}'))
    on conflict (handle) do nothing;
  if not found then
    return 'taken';
  end if;
  insert into passwords (owner_id, hash) values (p_id, p_password);
  update invites set accepted_at = clock_timestamp(), accepted_by = p_id where id = v_invite.id;
  return 'ok';
end $$;

create function af_audit(p_owner uuid, p_actor text, p_means text, p_credential uuid, p_action text, p_type text,
  p_object text, p_peer text, p_request text, p_before text, p_after text) returns void language plpgsql as $$
begin
  insert into audit_log (owner_id, actor, means, credential_id, action, object_type, object_id, peer, request_id,
      before_digest, after_digest)
    values (p_owner, p_actor, p_means, p_credential, p_action, p_type, p_object, p_peer, p_request, p_before, p_after);
end $$;

do $$
declare
  v_name regprocedure;
begin
  for v_name in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'public'::regnamespace
    and p.proname in ('af_identify', 'af_begin_login', 'af_end_login', 'af_open_session', 'af_refresh', 'af_set_password',
      'af_link', 'af_use_link', 'af_register', 'af_audit')
  loop
    execute format('alter function %s security definer', v_name);
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', v_name);
    execute format('revoke execute on function %s from public', v_name);
    execute format('grant execute on function %s to af_login', v_name);
  end loop;
end $$;
reset role;
