-- Contents by digest, gzip-compressed and in chunks; scope: the owner, or the nil UUID for workflow histories.
create table blobs (
  scope uuid not null,
  sha256 text not null,
  size bigint not null,
  chunks integer not null,
  created_at timestamptz not null default now(),
  primary key (scope, sha256)
);
