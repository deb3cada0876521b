-- Records of requests and of answers from the cache. Addresses are kept without path and query, which may hold secrets.
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
  -- Outcome: `ok`, or the code of the error.
  outcome text not null,
  latency_ms integer not null,
  bytes integer,
  items integer,
  cache text not null check (cache in ('none', 'miss', 'hit', 'revalidated', 'stale')),
  attempt integer not null,
  page integer,
  -- Masked body, kept only if the caller asked for it.
  body text,
  at timestamptz not null default clock_timestamp()
);

create index connector_calls_age on connector_calls (at);
create index connector_calls_of on connector_calls (owner_id, connector, at, id);
