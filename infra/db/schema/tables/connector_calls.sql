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
