-- Content-addressed, gzip-compressed, in chunks; scope = owner id, or the nil uuid for workflow histories.
create table blobs (
  scope uuid not null,
  sha256 text not null,
  size bigint not null,
  chunks integer not null,
  created_at timestamptz not null default now(),
  primary key (scope, sha256)
);
