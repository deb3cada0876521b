set local role af_migrate;

-- Beside those of AF_IMPORT_DIRS. An absolute path; where it leads is looked at when something is read.
create table import_dirs (
  path text primary key check (path like '/%' and length(path) <= 1000),
  granted_by uuid not null references users,
  granted_at timestamptz not null default clock_timestamp()
);
