-- Kept answers of sources. owner_id null: shared by everybody, only for connectors that ship with the product and need no key.
create table connector_cache (
  id bigint generated always as identity primary key,
  owner_id uuid references users (id),
  key text not null,
  connector text not null,
  -- Name of the secret that was sent with the request; '' without one.
  credential text not null,
  status integer not null,
  headers json not null,
  url text not null,
  body bytea not null,
  size integer not null,
  stored_at timestamptz not null default clock_timestamp(),
  fresh_until timestamptz not null,
  -- End of the time in which it may replace the answer of a source that fails.
  stale_until timestamptz not null,
  -- End of the time in which the source may confirm it as unchanged.
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
