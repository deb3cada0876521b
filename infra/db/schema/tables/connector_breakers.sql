-- Circuit breakers: a source that fails is left alone for a while by all workers.
create table connector_breakers (
  -- Digest of owner, origin and credential.
  key text primary key,
  owner_id uuid not null references users (id),
  origin text not null,
  -- Failures in a row.
  failures integer not null default 0,
  -- Openings since the last success: each one lasts longer.
  opened integer not null default 0,
  open_until timestamptz,
  probe_until timestamptz,
  probe_worker text,
  updated_at timestamptz not null default clock_timestamp()
);

create index connector_breakers_age on connector_breakers (updated_at);
create index connector_breakers_owner on connector_breakers (owner_id, origin);
