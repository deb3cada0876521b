-- Versions of connectors, never changed: a run keeps the one that it started with.
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
