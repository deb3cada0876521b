-- The run spine: definitions, runs, event log, step results, approvals, blobs, documents, workspaces, journal.
-- Payload columns are `json`, not `jsonb`: the text is kept to the letter (key order, \u0000, lone surrogates) and is
-- never queried inside: PostgreSQL cannot even look at a neighbour field of a document that contains \u0000.

create table users (
  id uuid primary key,
  handle text not null unique,
  display_name text not null,
  created_at timestamptz not null default now()
);
insert into users (id, handle, display_name)
values ('00000000-0000-4000-8000-000000000001', 'local', 'Local user');

-- ── definitions ────────────────────────────────────────────────────────────────────────────────
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
  deleted_at timestamptz
);
create unique index playbooks_owner_slug on playbooks (owner_id, slug) where deleted_at is null;

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
  unique (playbook_id, version_no),
  unique (playbook_id, content_hash)
);
alter table playbooks add foreign key (latest_version_id) references playbook_versions (id);

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
  deleted_at timestamptz
);
create unique index connectors_owner_slug on connectors (owner_id, slug) where deleted_at is null;

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
  unique (connector_id, version_no),
  unique (connector_id, content_hash)
);
alter table connectors add foreign key (latest_version_id) references connector_versions (id);

-- ── runs ───────────────────────────────────────────────────────────────────────────────────────
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
  status text not null default 'pending' check (status in ('pending', 'running', 'waiting_approval',
    'waiting_budget', 'needs_attention', 'paused', 'suppressed', 'complete', 'partial', 'rejected', 'failed',
    'cancelled', 'timed_out')),
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
  updated_at timestamptz not null default now()
) with (fillfactor = 70);
-- No index holds a column that changes with every step (seq, updated_at): those updates stay HOT.
create unique index runs_owner_idempotency on runs (owner_id, idempotency_key) where idempotency_key is not null;
create index runs_owner_created on runs (owner_id, created_at, id);
create index runs_open on runs (created_at, id) where status in ('pending', 'running', 'waiting_approval',
  'waiting_budget', 'needs_attention', 'paused');
create index runs_parent on runs (parent_run_id) where parent_run_id is not null;
create index runs_last_execution on runs (owner_id, playbook_id, started_at desc) where status in ('complete', 'partial');

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
  primary key (run_id, seq),
  unique (run_id, event_id)
);

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
) with (fillfactor = 80);

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

-- ── approvals ──────────────────────────────────────────────────────────────────────────────────
create table approvals (
  id uuid primary key,
  run_id uuid not null references runs (id),
  owner_id uuid not null,
  step_path text not null,
  step_name text not null,
  status text not null default 'waiting' check (status in ('waiting', 'approved', 'rejected', 'timed_out',
    'cancelled', 'auto_approved')),
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
  unique (run_id, step_path)
);
create index approvals_open on approvals (owner_id, requested_at) where status = 'waiting';

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
  primary key (approval_id, decision_id)
);
create index approval_decisions_undelivered on approval_decisions (created_at) where state = 'received';

-- Hash-chained log of every settled decision: hash = sha256(prev_hash || canonical entry), per owner.
create table decision_log (
  owner_id uuid not null,
  no bigint not null,
  entry text not null,
  prev_hash text not null,
  hash text not null,
  primary key (owner_id, no)
);

-- ── contents ───────────────────────────────────────────────────────────────────────────────────
-- Content-addressed, gzip-compressed, in chunks; scope = owner id, or the nil uuid for workflow histories.
create table blobs (
  scope uuid not null,
  sha256 text not null,
  size bigint not null,
  chunks integer not null,
  created_at timestamptz not null default now(),
  primary key (scope, sha256)
);
create table blob_chunks (
  scope uuid not null,
  sha256 text not null,
  no integer not null,
  data bytea not null,
  primary key (scope, sha256, no),
  foreign key (scope, sha256) references blobs (scope, sha256) on delete cascade
);
alter table blob_chunks alter column data set storage external;

create table folders (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  parent_id uuid references folders (id),
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index folders_owner_name on folders (owner_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'), name) where deleted_at is null;

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
  deleted_at timestamptz
);
create unique index documents_effect on documents (owner_id, effect_key) where effect_key is not null;
create index documents_owner_created on documents (owner_id, created_at, id) where deleted_at is null;
create index documents_run on documents (run_id) where run_id is not null;

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

create table journal_entries (
  id uuid primary key,
  owner_id uuid not null references users (id),
  run_id uuid references runs (id),
  playbook_id uuid,
  playbook_name text,
  kind text not null default 'run' check (kind in ('run', 'note')),
  summary text not null,
  detail_entries json not null default '[]',
  entities_mentioned text[] not null default '{}',
  run_context text,
  task_status text,
  steps_completed integer not null default 0,
  entities_discovered integer not null default 0,
  outputs_produced json not null default '[]',
  effect_key text,
  created_at timestamptz not null default clock_timestamp()
);
create unique index journal_effect on journal_entries (owner_id, effect_key) where effect_key is not null;
create index journal_owner_created on journal_entries (owner_id, created_at, id);
