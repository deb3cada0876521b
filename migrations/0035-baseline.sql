-- The tables as they were at 0035, and what they rest on. How the schema is now: infra/db/schema.
--
-- The roles of the database:
--
--   af_migrate  owns everything; logs in nowhere, only migrations become it
--   af_login    what the processes log in as: no rights of its own but the listed functions, becomes af_app or af_system
--               for the length of a transaction
--   af_app      a person's or a service account's statements; row-level security shows it the rows of app_uid()
--   af_system   the platform's own work: sweeper, reconciler, deliverer, event reader, key rotation
--
-- Roles belong to the server, not to the database: they may be there already, and taking this migration back leaves them.
do $$
declare
  v_role text;
begin
  foreach v_role in array array['af_migrate', 'af_login', 'af_app', 'af_system'] loop
    begin
      if not exists (select from pg_roles where rolname = v_role) then
        execute format('create role %I nologin noinherit', v_role);
      end if;
    exception when duplicate_object or unique_violation then
      null; -- another database of this server makes them at the same moment
    end;
  end loop;
  if not pg_has_role('af_login', 'af_app', 'member') then
    grant af_app to af_login;
  end if;
  if not pg_has_role('af_login', 'af_system', 'member') then
    grant af_system to af_login;
  end if;
exception when unique_violation then
  null;
end $$;

do $$
begin
  execute format('grant create on database %I to af_migrate', current_database());
  -- A temporary table would stand in for a real one in whatever looks its tables up by name.
  execute format('revoke temporary on database %I from public', current_database());
end $$;
grant usage on schema public to af_login, af_app, af_system;
grant usage, create on schema public to af_migrate;
revoke create on schema public from public;
grant select on migrations to af_migrate;

set local role af_migrate;
alter default privileges for role af_migrate revoke execute on functions from public;

-- Payload columns are `json`, not `jsonb`: the text is kept to the letter (key order, \u0000, lone surrogates) and is
-- never queried inside: PostgreSQL cannot even look at a neighbour field of a document that contains \u0000.

-- Content-addressed, gzip-compressed, in chunks; scope = owner id, or the nil uuid for workflow histories.
create table blobs (
  scope uuid not null,
  sha256 text not null,
  size bigint not null,
  chunks integer not null,
  created_at timestamptz not null default now(),
  primary key (scope, sha256)
);

-- Hash-chained log of every settled decision: hash = sha256(prev_hash || canonical entry), per owner.
create table decision_log (
  owner_id uuid not null,
  no bigint not null,
  entry text not null,
  prev_hash text not null,
  hash text not null,
  primary key (owner_id, no)
);

create table login_attempts (
  id bigint generated always as identity primary key,
  account text not null,
  peer text not null,
  at timestamptz not null default clock_timestamp(),
  ok boolean not null default false
);

create index login_attempts_account on login_attempts (account, at) where not ok;
create index login_attempts_at on login_attempts (at);
create index login_attempts_peer on login_attempts (peer, at) where not ok;

-- Master keys that were ever used here: what a process lacks, it is told at its start and not in the middle of a run.
-- Belongs to the installation and not to an owner. check_value: HMAC of a constant under the key; says nothing of it.
create table master_keys (
  id text primary key,
  check_value text not null,
  created_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz
);

-- The three tables of the hot path carry no foreign key: their only writers are the functions of 0002, which hold the
-- run's row, and rows of runs are never deleted.
create table run_events (
  run_id uuid not null,
  seq bigint not null,
  -- Deterministic id given by whoever made the event; a repeat is ignored.
  event_id text not null,
  owner_id uuid not null,
  type text not null,
  step_path text,
  payload json not null,
  at timestamptz not null default clock_timestamp(),
  -- The transaction that wrote an event. Commits come in another order than ids, but below the oldest transaction that is
  -- still under way nothing can be added any more: whoever reads up to there, by (xid, run, seq), misses nothing and sees
  -- nothing twice. Rows that are there already take the id of this migration, without being rewritten: they lie before all
  -- that follow, each run's in its order.
  xid xid8 not null default pg_current_xact_id(),
  -- Set for what is about a run as a whole, where the run is one of a team's.
  team_id uuid,
  primary key (run_id, seq),
  unique (run_id, event_id)
);

create index run_events_calls on run_events (run_id) where type = 'source.called';
create index run_events_in_order on run_events (uuid_hash_extended(owner_id, (0)::bigint), xid, run_id, seq);
create index run_events_of_team on run_events (team_id, xid, run_id, seq) where team_id is not null;

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

-- Who is (or was) carrying out a try. starts - released - 1 = workers lost on it.
create table step_attempts (
  run_id uuid not null,
  effect_key text not null,
  try_no integer not null,
  owner_id uuid not null,
  step_path text not null,
  starts integer not null default 0,
  released integer not null default 0,
  worker text,
  -- The attempt row of an effect, committed before the request leaves.
  effect text check (effect in ('idempotent', 'keyed', 'unsafe')),
  effect_target text,
  effect_sent_count integer not null default 0,
  effect_sent_at timestamptz,
  -- A person's answer for an unsafe effect with an unknown outcome.
  resolution text check (resolution in ('done', 'not_done', 'repeat')),
  first_started_at timestamptz not null default clock_timestamp(),
  last_started_at timestamptz not null default clock_timestamp(),
  primary key (run_id, effect_key, try_no)
) with (fillfactor=80);

-- One row per try of a step that an activity carried out. The effect key is the same for every try.
create table step_results (
  run_id uuid not null,
  effect_key text not null,
  try_no integer not null,
  owner_id uuid not null,
  step_path text not null,
  step_name text not null,
  action text not null,
  status text not null check (status in ('ok', 'failed')),
  input json,
  output json,
  error json,
  started_at timestamptz not null,
  finished_at timestamptz not null default clock_timestamp(),
  copied_from uuid,
  primary key (run_id, effect_key, try_no)
);

create table users (
  id uuid primary key,
  handle text not null unique,
  display_name text not null,
  created_at timestamptz not null default now(),
  -- Never deleted: what they did stays theirs. The row that was the one local user is the first administrator.
  kind text not null default 'person' check (kind in ('person', 'service')),
  status text not null default 'active' check (status in ('active', 'deactivated', 'anonymised')),
  scopes text[] not null default '{}'::text[],
  -- Of a service account: who made it and may take it back.
  managed_by uuid references users (id),
  deactivated_at timestamptz,
  constraint users_managed check ((kind = 'service') = (managed_by is not null))
);

create index users_managed_by on users (managed_by) where managed_by is not null;

-- Access tokens that connectors fetch with a client's credentials: all workers share one, and one of them fetches it.
create table access_tokens (
  owner_id uuid not null references users (id),
  -- Digest of the token service, the client, the scope, and the name and version of the secret.
  slot text not null,
  -- Encrypted, bound to owner and slot; kept until it expires and never re-encrypted: what does not open is fetched anew.
  token_id uuid,
  ciphertext bytea,
  key_id text,
  expires_at timestamptz,
  -- Who fetches it now. A lease, so that a worker that is lost holds up nobody for long.
  claim_id uuid,
  lease_until timestamptz,
  primary key (owner_id, slot),
  check ((expires_at is null) = (ciphertext is null)),
  constraint access_tokens_check1 check ((lease_until is null) = (claim_id is null))
);

create table agent_profiles (
  id uuid primary key,
  owner_id uuid not null references users (id),
  handle text not null,
  name text not null,
  description text,
  icon text,
  is_active boolean not null default true,
  model_preference text,
  max_research_rounds integer not null default 3,
  system_prompt_additions text,
  knowledge_config json not null default '{}',
  output_config json not null default '{}',
  journal_config json not null default '{}',
  default_execution_mode text not null default 'hybrid' check (default_execution_mode in ('deterministic', 'llm_augmented', 'hybrid')),
  default_run_context text not null default 'interactive' check (default_run_context in ('interactive', 'background', 'scheduled', 'monitor')),
  default_approval_policy text not null default 'require' check (default_approval_policy in ('require', 'auto_approve')),
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create index agent_profiles_owner_created on agent_profiles (owner_id, created_at, id) where deleted_at is null;
create unique index agent_profiles_owner_handle on agent_profiles (owner_id, handle) where deleted_at is null;

create table api_keys (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  -- The beginning of the key, to tell keys apart.
  prefix text not null,
  hash text not null unique,
  -- Null: all that its owner has. In any case no more than they have at the moment of a call.
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

-- Who did what to which object, from where. Nobody may change or remove an entry.
create table audit_log (
  id uuid default gen_random_uuid() primary key,
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
  at timestamptz not null default clock_timestamp(),
  -- The path of the object, so that an entry can say what the one before it left there.
  object_path text
);

create index audit_log_at on audit_log (at, id);
create index audit_log_object on audit_log (object_path, at, id) where object_path is not null;
create index audit_log_owner on audit_log (owner_id, at, id);

create table blob_chunks (
  scope uuid not null,
  sha256 text not null,
  no integer not null,
  data bytea not null,
  foreign key (scope, sha256) references blobs (scope, sha256) on delete cascade,
  primary key (scope, sha256, no)
);

alter table blob_chunks alter column data set storage external;

-- Credentials of a person at a provider. `ciphertext` is encrypted by the application and bound to its row.
create table connections (
  id uuid primary key,
  owner_id uuid not null references users (id),
  provider text not null,
  name text not null,
  kind text not null check (kind in ('api_key', 'basic', 'oauth2')),
  account text,
  scopes text[] not null default '{}'::text[],
  ciphertext bytea,
  key_id text,
  status text not null default 'active' check (status in ('active', 'expired', 'revoked')),
  expires_at timestamptz,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create unique index connections_owner_name on connections (owner_id, provider, name) where deleted_at is null;

-- Who asked a common bucket lately: those share it.
create table connector_askers (
  key text not null,
  owner_id uuid not null references users (id),
  asked_at timestamptz not null default clock_timestamp(),
  -- turn: where this owner stands. held_back: they were refused for the sake of the source or of another owner. awaited, back_until: so many
  -- requests of theirs come again by then.
  turn bigint not null default 0,
  held_back boolean not null default false,
  awaited integer not null default 0,
  back_until timestamptz,
  primary key (key, owner_id)
);

-- What the source said last about the credential that a connector sends; '' without one.
create table connector_bindings (
  owner_id uuid not null references users (id),
  connector text not null,
  credential text not null default '',
  state text not null check (state in ('ok', 'auth_failed')),
  status integer,
  endpoint text,
  since timestamptz not null default clock_timestamp(),
  notified_at timestamptz,
  primary key (owner_id, connector, credential)
);

create table connector_breakers (
  -- Digest of owner, origin and credential.
  key text primary key,
  owner_id uuid not null references users (id),
  origin text not null,
  -- One after the other.
  failures integer not null default 0,
  -- How often it opened since the last success: each time for longer.
  opened integer not null default 0,
  open_until timestamptz,
  probe_until timestamptz,
  probe_worker text,
  updated_at timestamptz not null default clock_timestamp()
);

create index connector_breakers_age on connector_breakers (updated_at);
create index connector_breakers_owner on connector_breakers (owner_id, origin);

-- Requests that were leased, by slices of time: the window slides by whole slices.
create table connector_bucket_use (
  key text not null,
  period text not null check (period in ('second', 'minute', 'hour', 'day', 'month')),
  slice bigint not null,
  owner_id uuid not null references users (id),
  used integer not null,
  primary key (key, period, slice, owner_id)
);

-- A bucket: (owner, origin, credential), or without a credential the origin alone, for everybody. `key` is its digest.
create table connector_buckets (
  key text primary key,
  -- Null: of everybody.
  owner_id uuid references users (id),
  origin text not null,
  -- The source asked for silence until then.
  blocked_until timestamptz,
  blocked_reason text,
  updated_at timestamptz not null default clock_timestamp(),
  -- turns_until: owners take turns until then. turn: where the one stands who is furthest ahead; the others are not far behind.
  turns_until timestamptz,
  turn bigint not null default 0
);

create index connector_buckets_age on connector_buckets (updated_at);
create index connector_buckets_origin on connector_buckets (origin);

-- Answers of sources. owner_id null: of everybody, only of keyless connectors that ship with the product.
create table connector_cache (
  id bigint generated always as identity primary key,
  owner_id uuid references users (id),
  key text not null,
  connector text not null,
  -- Name of the secret that went with the request; '' without one.
  credential text not null,
  status integer not null,
  headers json not null,
  url text not null,
  body bytea not null,
  size integer not null,
  stored_at timestamptz not null default clock_timestamp(),
  fresh_until timestamptz not null,
  -- Until then it may stand in for a source that fails.
  stale_until timestamptz not null,
  -- Until then a validator may still revive it.
  drop_at timestamptz not null,
  endpoint text not null default '',
  credential_version text not null default '',
  writer_id uuid not null references users (id),
  used_at timestamptz not null default clock_timestamp()
);

create index connector_cache_drop on connector_cache (drop_at);
create unique index connector_cache_key on connector_cache (coalesce(owner_id,
  '00000000-0000-0000-0000-000000000000'::uuid), key);
create index connector_cache_owner on connector_cache (owner_id, stored_at);

-- One row for each request, and for each answer out of the cache. Addresses without path and query: those may hold secrets.
create table connector_calls (
  id uuid primary key,
  owner_id uuid not null references users (id),
  connector text not null,
  version_id uuid,
  endpoint text not null,
  run_id uuid,
  step_path text,
  origin text not null,
  method text not null,
  -- Null: no answer came.
  status integer,
  -- `ok`, or the code of what went wrong.
  outcome text not null,
  latency_ms integer not null,
  bytes integer,
  items integer,
  cache text not null check (cache in ('none', 'miss', 'hit', 'revalidated', 'stale')),
  attempt integer not null,
  page integer,
  -- Only where somebody asked for it; masked.
  body text,
  at timestamptz not null default clock_timestamp()
);

create index connector_calls_age on connector_calls (at);
create index connector_calls_of on connector_calls (owner_id, connector, at, id);

-- Origins that secrets of a connector may go to, confirmed by the owner of the secrets. Those that they wrote the
-- connector with need no confirmation.
create table connector_confirmations (
  id uuid primary key,
  owner_id uuid not null references users (id),
  connector text not null,
  origins text[] not null,
  confirmed_at timestamptz not null default clock_timestamp(),
  secret text not null,
  -- When the place was confirmed for the first time, whatever was said again later.
  first_at timestamptz not null default clock_timestamp()
);

create unique index connector_confirmations_of on connector_confirmations (owner_id, connector, secret, origins);

-- Calls in flight that a worker may have at once. They end with the worker.
create table connector_slots (
  key text not null,
  worker text not null,
  held integer not null,
  expires_at timestamptz not null,
  owner_id uuid not null references users (id),
  wanted integer not null,
  primary key (key, worker, owner_id)
);

create table connectors (
  id uuid primary key,
  owner_id uuid not null references users (id),
  slug text not null,
  name text not null,
  type text not null,
  description text,
  origin text not null default 'user' check (origin in ('user', 'catalog')),
  latest_version_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  row_version bigint not null default 1,
  -- What the latest version of a definition says of itself, beside its name: lists show it and are filtered by it.
  icon text,
  category text,
  tags text[] not null default '{}'::text[],
  requires_auth boolean not null default false,
  auth_fields jsonb not null default '[]'
);

create index connectors_owner_created on connectors (owner_id, created_at, id) where deleted_at is null;
create index connectors_owner_name on connectors (owner_id, name, id) where deleted_at is null;
create unique index connectors_owner_slug on connectors (owner_id, slug) where deleted_at is null;

-- Signed heads of the decision chains: who holds one can tell when entries before it were taken away.
create table decision_heads (
  owner_id uuid not null references users (id),
  no bigint not null,
  hash text not null,
  signed_at text not null,
  key_id text not null,
  public_key text not null,
  signature text not null,
  primary key (owner_id, no)
);

create table folders (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  parent_id uuid references folders (id),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  row_version bigint not null default 1
);

create unique index folders_owner_name on folders (owner_id, coalesce(parent_id,
  '00000000-0000-0000-0000-000000000000'::uuid), name) where deleted_at is null;
create index folders_parent on folders (parent_id) where parent_id is not null and deleted_at is null;

-- Requests with an Idempotency-Key, kept for 24 hours. Those that start runs are in the runs' rows, as long as the runs.
create table idempotency_keys (
  owner_id uuid not null references users (id),
  method text not null,
  -- The pattern of the path.
  route text not null,
  key text not null,
  -- Of path parameters, query and body.
  request_hash text not null,
  -- Who carries the request out. Another may, when the lease has ended and there is no answer.
  claim_id uuid not null,
  lease_until timestamptz not null,
  -- The answer, written in the transaction of the effect. A status of null: under way.
  status integer,
  etag text,
  answer json,
  created_at timestamptz not null default clock_timestamp(),
  primary key (owner_id, method, route, key)
);

create index idempotency_keys_age on idempotency_keys (owner_id, created_at);

create table invites (
  id uuid primary key,
  -- Who invites.
  owner_id uuid not null references users (id),
  hash text not null unique,
  -- Null: whoever is invited chooses.
  handle text,
  scopes text[] not null default '{}'::text[],
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references users (id),
  revoked_at timestamptz
);

create index invites_owner on invites (owner_id, created_at, id);

create table one_time_links (
  id uuid primary key,
  purpose text not null check (purpose in ('first_admin', 'sign_in', 'password_reset')),
  user_id uuid not null references users (id),
  hash text not null unique,
  -- Can be used from this machine alone.
  loopback boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  made_by uuid references users (id)
);

create index one_time_links_made_by on one_time_links (made_by) where used_at is null;
create index one_time_links_user on one_time_links (user_id) where used_at is null;

create table passwords (
  owner_id uuid references users (id) primary key,
  -- PHC string of argon2id.
  hash text not null,
  changed_at timestamptz not null default clock_timestamp()
);

create table playbooks (
  id uuid primary key,
  owner_id uuid not null references users (id),
  slug text not null,
  name text not null,
  description text,
  category text,
  origin text not null default 'user' check (origin in ('user', 'catalog')),
  latest_version_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  row_version bigint not null default 1,
  tags text[] not null default '{}'::text[],
  triggers jsonb not null default '[]',
  required_connectors text[] not null default '{}'::text[]
);

create index playbooks_owner_created on playbooks (owner_id, created_at, id) where deleted_at is null;
create index playbooks_owner_name on playbooks (owner_id, name, id) where deleted_at is null;
create unique index playbooks_owner_slug on playbooks (owner_id, slug) where deleted_at is null;

-- owner_id null: comes with the installation; everybody reads it, only the loader writes it.
create table plugins (
  id uuid primary key,
  owner_id uuid references users (id),
  name text not null,
  version text not null,
  description text,
  connection_type text not null,
  required_config json not null default '[]',
  tool_contracts json not null default '[]',
  tool_pack_name text not null,
  is_builtin boolean not null default false,
  is_enabled boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create unique index plugins_name on plugins (coalesce(owner_id, '00000000-0000-0000-0000-000000000000'::uuid), name);

-- Values are encrypted by the application and bound to owner and name: a ciphertext in another row does not open.
create table secrets (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  ciphertext bytea not null,
  -- The master key that it is encrypted under.
  key_id text not null,
  -- Host names, `host:port`, `*.domain`, or the one entry `*`.
  allowed_hosts text[] not null check (cardinality(allowed_hosts) > 0),
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  rotated_at timestamptz,
  row_version bigint not null default 1,
  unique (owner_id, name)
);

create index secrets_by_key on secrets (key_id, id);

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

-- owner_id: who founded it. What somebody may do in a team follows from team_members alone.
create table teams (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  description text,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

-- The key that signs deliveries is the owner's secret of that name.
create table webhooks (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  url text not null,
  events text[] not null,
  secret_name text,
  is_enabled boolean not null default true,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create unique index webhooks_owner_name on webhooks (owner_id, name) where deleted_at is null;

create table workspaces (
  id uuid primary key,
  owner_id uuid not null references users (id),
  slug text not null,
  name text not null,
  schema_name text not null unique,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);

create unique index workspaces_owner_slug on workspaces (owner_id, slug) where deleted_at is null;

-- The only truth about what a team may use. A share that is taken back is gone.
create table agent_team_shares (
  id uuid primary key,
  profile_id uuid not null references agent_profiles (id),
  owner_id uuid not null references users (id),
  team_id uuid not null references teams (id),
  team_file_access boolean not null default false,
  team_post_access boolean not null default false,
  journal_visibility text not null default 'own_and_scheduled' check (journal_visibility in ('own_only', 'own_and_scheduled', 'full')),
  is_active boolean not null default true,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (profile_id, team_id)
);

create index agent_team_shares_owner on agent_team_shares (owner_id, team_id);
create index agent_team_shares_team on agent_team_shares (team_id, profile_id);

create table connector_versions (
  id uuid primary key,
  connector_id uuid not null references connectors (id),
  owner_id uuid not null references users (id),
  version_no integer not null,
  declared_version text,
  content_hash text not null,
  source_format text not null check (source_format in ('yaml', 'json')),
  source text not null,
  definition json not null,
  created_at timestamptz not null default now(),
  unique (connector_id, content_hash),
  unique (connector_id, version_no)
);

alter table connectors add constraint connectors_latest_version_id_fkey foreign key (latest_version_id) references connector_versions(id);

create table monitors (
  id uuid primary key,
  owner_id uuid not null references users (id),
  profile_id uuid references agent_profiles (id),
  playbook_id uuid references playbooks (id),
  name text not null,
  interval_seconds integer not null check (interval_seconds > 0),
  active_hours json,
  config json not null default '{}',
  is_enabled boolean not null default true,
  pause_reason text,
  last_checked_at timestamptz,
  last_run_status text,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create unique index monitors_owner_name on monitors (owner_id, name) where deleted_at is null;

create table playbook_versions (
  id uuid primary key,
  playbook_id uuid not null references playbooks (id),
  owner_id uuid not null references users (id),
  version_no integer not null,
  declared_version text,
  content_hash text not null,
  source_format text not null check (source_format in ('yaml', 'json')),
  source text not null,
  plan json not null,
  created_at timestamptz not null default now(),
  unique (playbook_id, content_hash),
  unique (playbook_id, version_no)
);

alter table playbooks add constraint playbooks_latest_version_id_fkey foreign key (latest_version_id) references playbook_versions(id);

create table plugin_settings (
  id uuid primary key,
  owner_id uuid not null references users (id),
  plugin_id uuid not null references plugins (id),
  connection_id uuid references connections (id),
  custom_config json not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  unique (owner_id, plugin_id)
);

-- `credentials`: names of the owner's secrets by auth field, never values.
create table profile_connectors (
  id uuid primary key,
  profile_id uuid not null references agent_profiles (id),
  owner_id uuid not null references users (id),
  connector_id uuid not null references connectors (id),
  connection_id uuid references connections (id),
  credentials json not null default '{}',
  config_overrides json not null default '{}',
  permissions json not null default '{}',
  is_enabled boolean not null default true,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (profile_id, connector_id)
);

create index profile_connectors_connector on profile_connectors (connector_id);

create table profile_skills (
  id uuid primary key,
  profile_id uuid not null references agent_profiles (id),
  owner_id uuid not null references users (id),
  skill_type text not null check (skill_type in ('built_in', 'playbook')),
  skill_name text,
  playbook_id uuid references playbooks (id),
  priority integer not null default 0,
  parameters json not null default '{}',
  is_enabled boolean not null default true,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (profile_id, playbook_id),
  unique (profile_id, skill_name),
  check (((skill_type = 'built_in') = (skill_name is not null)) and ((skill_type = 'playbook') = (playbook_id is not null)))
);

create index profile_skills_playbook on profile_skills (playbook_id) where playbook_id is not null;

create table refresh_tokens (
  hash text primary key,
  session_id uuid not null references sessions (id),
  owner_id uuid not null references users (id),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz
);

create index refresh_tokens_session on refresh_tokens (session_id);

create table schedules (
  id uuid primary key,
  owner_id uuid not null references users (id),
  profile_id uuid references agent_profiles (id),
  playbook_id uuid references playbooks (id),
  name text not null,
  description text,
  cron_expression text not null,
  time_zone text not null default 'UTC',
  query_template text,
  inputs json not null default '{}',
  is_enabled boolean not null default true,
  pause_reason text,
  overlap_policy text not null default 'skip',
  catchup_window_seconds integer not null default 3600,
  jitter_seconds integer not null default 0,
  max_retries integer not null default 2,
  timeout_seconds integer,
  last_run_at timestamptz,
  last_run_status text,
  next_run_at timestamptz,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create unique index schedules_owner_name on schedules (owner_id, name) where deleted_at is null;

-- Who is in a team sees its agents under their handles, so that is for each to decide. owner_id: who is invited.
create table team_invitations (
  id uuid default gen_random_uuid() primary key,
  owner_id uuid not null references users (id),
  team_id uuid not null references teams (id),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  invited_by uuid not null references users (id),
  created_at timestamptz not null default clock_timestamp(),
  unique (team_id, owner_id)
);

create index team_invitations_owner on team_invitations (owner_id, created_at, id);

create table team_members (
  team_id uuid not null references teams (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  primary key (team_id, user_id)
);

create index team_members_user on team_members (user_id, team_id);

-- What the scopes of a group are about (`macro:analyst`).
create table topics (
  id uuid primary key,
  owner_id uuid not null references users (id),
  team_id uuid references teams (id),
  slug text not null,
  name text not null,
  description text,
  created_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create unique index topics_owner_slug on topics (owner_id, slug) where deleted_at is null;

create table workspace_tables (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  owner_id uuid not null references users (id),
  name text not null,
  sql_name text not null,
  -- [{name, sql_name, type}] in order.
  columns json not null,
  upsert_key text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, name)
);

-- How far a detection step of a monitor has looked.
create table monitor_watermarks (
  monitor_id uuid not null references monitors (id),
  step_name text not null,
  owner_id uuid not null references users (id),
  watermark_type text not null check (watermark_type in ('timestamp', 'cursor', 'hash', 'offset')),
  watermark_value text not null,
  metadata json not null default '{}',
  items_found_last integer not null default 0,
  last_checked_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (monitor_id, step_name)
);

create table runs (
  id uuid primary key,
  owner_id uuid not null references users (id),
  playbook_id uuid not null references playbooks (id),
  playbook_version_id uuid not null references playbook_versions (id),
  playbook_slug text not null,
  playbook_name text not null,
  parent_run_id uuid references runs (id),
  parent_step_path text,
  root_run_id uuid not null,
  depth integer not null default 0,
  retry_of uuid references runs (id),
  retry_from text,
  status text not null default 'pending' check (status in ('pending', 'running', 'waiting_approval', 'waiting_budget', 'needs_attention', 'paused', 'suppressed', 'complete', 'partial', 'rejected', 'failed', 'cancelled', 'timed_out')),
  status_code text,
  status_message text,
  -- Status, code and message that the reconciler covered with its own (workflow task failing), to be put back.
  covered json,
  -- What the run waits for: [{kind, step_path, since, until, ...}]
  waits json not null default '[]',
  inputs json not null,
  query text,
  run_context text not null,
  approval_policy text not null,
  invoked_by text not null default 'api',
  clock json not null,
  connectors json not null default '{}',
  idempotency_key text,
  idempotency_hash text,
  -- Read by the transaction that records a step: cancel and pause act before the next step.
  control text not null default 'run' check (control in ('run', 'pause', 'cancel')),
  seq bigint not null default 0,
  -- Somebody follows the event stream until then: only a watched run pays for NOTIFY, which serialises commits.
  watched_until timestamptz,
  patch_no bigint not null default 0,
  steps_total integer not null default 0,
  steps_done integer not null default 0,
  summary text,
  -- StoredValue of the run's outputs, and the routing report of its destinations.
  result json,
  routing_report json,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_usd numeric,
  workflow_started_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  -- What a run that retries another takes over beside results: answers of gates (step path → answer), and edited inputs of
  -- the step that it begins with (step path → inputs). Both are handed to the workflow as they are.
  retry_presets json,
  retry_overrides json,
  profile_id uuid references agent_profiles (id),
  profile_owner_id uuid references users (id),
  team_id uuid references teams (id),
  schedule_id uuid references schedules (id),
  monitor_id uuid references monitors (id),
  strategy text check (strategy in ('pipeline', 'playbook', 'research', 'direct')),
  connectors_called json not null default '[]',
  output_destinations json not null default '[]',
  -- Open runs that used it stop before their next step: the transaction that would begin it reads `control`. Whoever started
  -- such a run resumes it only when they may run the profile again.
  revoked_at timestamptz
) with (fillfactor=70);

create index runs_active on runs (owner_id) where status in ('pending', 'running') and status_code is distinct from 'owner_cap';
create index runs_held on runs (owner_id, created_at, id) where status = 'pending' and status_code = 'owner_cap';
create index runs_last_execution on runs (owner_id, playbook_id, started_at desc) where status in ('complete', 'partial');
create index runs_open on runs (created_at, id) where status in ('pending', 'running', 'waiting_approval', 'waiting_budget', 'needs_attention', 'paused');
create index runs_owner_created on runs (owner_id, created_at, id);
create unique index runs_owner_idempotency on runs (owner_id, idempotency_key) where idempotency_key is not null;
create index runs_owner_playbook on runs (owner_id, playbook_id, created_at, id);
create index runs_owner_profile on runs (owner_id, profile_id, created_at, id) where profile_id is not null;
create index runs_owner_slug on runs (owner_id, playbook_slug, created_at, id);
create index runs_owner_status on runs (owner_id, status, created_at, id);
create index runs_owner_team on runs (owner_id, team_id, created_at, id) where team_id is not null;
create index runs_parent on runs (parent_run_id) where parent_run_id is not null;
create index runs_profile_owner_team on runs (profile_owner_id, team_id, created_at, id) where team_id is not null;
create index runs_profile_team on runs (profile_id, created_at, id) where team_id is not null;
create index runs_team on runs (team_id, profile_id, created_at, id) where team_id is not null;
create index runs_team_owner on runs (profile_owner_id, created_at, id) where team_id is not null;

create table approvals (
  id uuid primary key,
  run_id uuid not null references runs (id),
  owner_id uuid not null,
  step_path text not null,
  step_name text not null,
  status text not null default 'waiting' check (status in ('waiting', 'approved', 'rejected', 'timed_out', 'cancelled', 'auto_approved')),
  prompt text not null,
  -- StoredValue of the preview rows, already limited; total = rows before the limit.
  preview json,
  preview_total integer,
  -- The gated action: {step, action, inputs, params}; null when the next step is not a single action.
  action json,
  digest text,
  edit_schema json,
  on_reject text not null,
  on_timeout text not null,
  requested_at timestamptz not null default clock_timestamp(),
  due_at timestamptz,
  decided_at timestamptz,
  decided_by text,
  decision_id uuid,
  instructions text,
  edits json,
  approved_digest text,
  quorum integer not null default 1 check (quorum > 0),
  -- Neither whose run it is, nor who edited last.
  four_eyes boolean not null default false,
  link_only boolean not null default false,
  -- Those in approval_approvers decide, and not just because it is their run the run's owner.
  named boolean not null default false,
  -- What the playbook calls approvers and nobody is.
  unknown_approvers text[] not null default '{}'::text[],
  -- `digest` is that of the action as the engine made it; this one covers `edits` too.
  edited_digest text,
  edited_by uuid references users (id),
  edited_at timestamptz,
  reminded_at timestamptz,
  escalated_at timestamptz,
  unique (run_id, step_path)
);

create index approvals_due on approvals (owner_id, due_at) where status = 'waiting' and due_at is not null;
create index approvals_owner_requested on approvals (owner_id, requested_at, id);
create index approvals_owner_status on approvals (owner_id, status, requested_at, id);
create index approvals_owner_step on approvals (owner_id, step_path, requested_at, id);

create table discoveries (
  id uuid primary key,
  owner_id uuid not null references users (id),
  run_id uuid not null references runs (id),
  profile_id uuid references agent_profiles (id),
  discovery_type text not null check (discovery_type in ('new_entity', 'new_relationship', 'entity_merge', 'new_external_id', 'pattern_detected')),
  entity_name text,
  entity_type text,
  entity_id text,
  relationship_type text,
  related_entity_name text,
  source_connector text,
  source_endpoint text,
  confidence real,
  details json not null default '{}',
  created_at timestamptz not null default clock_timestamp()
);

create index discoveries_owner_created on discoveries (owner_id, created_at, id);
create index discoveries_run on discoveries (run_id, created_at, id);

create table documents (
  id uuid primary key,
  owner_id uuid not null references users (id),
  folder_id uuid references folders (id),
  name text not null,
  media_type text not null,
  size bigint not null,
  sha256 text not null,
  run_id uuid references runs (id),
  step_path text,
  -- Derived from the effect key: a repeated write finds its own document.
  effect_key text,
  export_path text,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  row_version bigint not null default 1
);

create unique index documents_effect on documents (owner_id, effect_key) where effect_key is not null;
create index documents_folder on documents (folder_id, created_at, id) where folder_id is not null and deleted_at is
  null;
create index documents_owner_created on documents (owner_id, created_at, id) where deleted_at is null;
create index documents_run on documents (run_id) where run_id is not null;

create table entity_resolutions (
  id uuid primary key,
  owner_id uuid not null references users (id),
  run_id uuid references runs (id),
  action text not null check (action in ('auto_merge', 'user_merge', 'user_split', 'create_new', 'flag_review')),
  source_entity_name text not null,
  source_entity_type text,
  target_entity_name text,
  target_entity_id text,
  confidence real,
  match_method text,
  match_details json not null default '{}',
  is_reversible boolean not null default true,
  reversed_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);

create index entity_resolutions_owner on entity_resolutions (owner_id, created_at, id);

create table entity_reviews (
  id uuid primary key,
  owner_id uuid not null references users (id),
  run_id uuid references runs (id),
  source_entity_name text not null,
  source_entity_type text,
  candidate_entity_name text not null,
  candidate_entity_id text,
  confidence real not null,
  match_details json not null default '{}',
  context json not null default '{}',
  status text not null default 'pending' check (status in ('pending', 'approved_merge', 'rejected', 'skipped')),
  reviewed_at timestamptz,
  reviewed_by uuid references users (id),
  created_at timestamptz not null default clock_timestamp()
);

create index entity_reviews_owner on entity_reviews (owner_id, status, created_at, id);

create table journal_entries (
  id uuid primary key,
  owner_id uuid not null references users (id),
  run_id uuid references runs (id),
  playbook_id uuid,
  playbook_name text,
  kind text not null default 'run' check (kind in ('run', 'note')),
  summary text not null,
  detail_entries json not null default '[]',
  entities_mentioned text[] not null default '{}'::text[],
  run_context text,
  task_status text,
  steps_completed integer not null default 0,
  entities_discovered integer not null default 0,
  outputs_produced json not null default '[]',
  effect_key text,
  created_at timestamptz not null default clock_timestamp(),
  -- An entry stays when its profile is deleted: profiles are hidden, never removed.
  profile_id uuid references agent_profiles (id),
  profile_owner_id uuid references users (id),
  team_id uuid references teams (id)
);

create unique index journal_effect on journal_entries (owner_id, effect_key) where effect_key is not null;
create index journal_owner_created on journal_entries (owner_id, created_at, id);
create index journal_owner_profile on journal_entries (owner_id, profile_id, created_at, id) where profile_id is not
  null;
create index journal_profile_team on journal_entries (profile_id, created_at, id) where team_id is not null;
create index journal_team on journal_entries (team_id, profile_id, created_at, id) where team_id is not null;

create table model_calls (
  id uuid primary key,
  run_id uuid not null references runs (id),
  owner_id uuid not null,
  step_path text not null,
  effect_key text not null,
  try_no integer not null,
  call_no integer not null,
  provider text not null,
  model text not null,
  input_tokens integer,
  output_tokens integer,
  cost_usd numeric,
  outcome text not null,
  latency_ms integer not null,
  at timestamptz not null default clock_timestamp(),
  unique (run_id, effect_key, try_no, call_no)
);

-- What happened to a request beside decisions; every row is in the decision log too.
create table approval_acts (
  id uuid primary key,
  approval_id uuid not null references approvals (id),
  owner_id uuid not null,
  kind text not null check (kind in ('edited', 'delegated', 'commented', 'linked', 'reminded', 'escalated')),
  -- Null: a timer.
  actor_id uuid references users (id),
  actor text not null,
  -- What the actor chose: edits, whom they mean, their words.
  body json not null,
  digest text,
  at timestamptz not null default clock_timestamp()
);

create index approval_acts_approval on approval_acts (approval_id, at, id);

-- subject: `user:<id>`, `team:<id>` or `scope:<group:role>`. An escalation counts once it has happened.
create table approval_approvers (
  approval_id uuid not null references approvals (id),
  subject text not null,
  source text not null check (source in ('named', 'escalation', 'delegation')),
  granted_by uuid not null references users (id),
  owner_id uuid not null,
  requested_at timestamptz not null,
  primary key (approval_id, subject, source, granted_by)
);

create index approval_approvers_subject on approval_approvers (subject, requested_at, approval_id);

create table approval_decisions (
  approval_id uuid not null references approvals (id),
  decision_id uuid not null,
  run_id uuid not null,
  owner_id uuid not null,
  actor text not null,
  via text not null check (via in ('api', 'cli', 'signal', 'policy', 'link')),
  decision text not null check (decision in ('approve', 'reject')),
  instructions text,
  edits json,
  digest text,
  state text not null default 'received' check (state in ('received', 'counted', 'refused')),
  code text,
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  -- Null: a signal or a policy is nobody.
  actor_id uuid,
  -- Who delegated to the actor, where that alone gave them the right.
  acting_for uuid,
  -- Collected for an action that was edited since.
  superseded_at timestamptz,
  -- The key that a decision came by.
  key_id uuid references api_keys (id),
  primary key (approval_id, decision_id)
);

create index approval_decisions_undelivered on approval_decisions (created_at) where state = 'received';

-- One decision by one person about one action. The token itself is with that person alone.
create table approval_links (
  id uuid primary key,
  approval_id uuid not null references approvals (id),
  owner_id uuid not null,
  user_id uuid not null references users (id),
  token_hash text not null unique,
  digest text not null,
  created_by uuid not null references users (id),
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz,
  -- Whoever sees the request sees the link's id: under that anybody who may decide could be first.
  decision_id uuid not null default gen_random_uuid()
);

create index approval_links_approval on approval_links (approval_id);

create table notifications (
  id uuid primary key,
  owner_id uuid not null references users (id),
  kind text not null,
  title text not null,
  body text,
  run_id uuid references runs (id),
  approval_id uuid references approvals (id),
  read_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);

create index notifications_owner on notifications (owner_id, created_at, id);

insert into users (id, handle, display_name, scopes)
values ('00000000-0000-4000-8000-000000000001', 'local', 'Local user', '{global:admin}');
