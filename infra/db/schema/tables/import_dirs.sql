-- Folders that runs may read files from, beside those of AF_IMPORT_DIRS. Paths are absolute; links are resolved when a file is read.
create table import_dirs (
  path text primary key check ((path ~~ '/%') and (length(path) <= 1000)),
  granted_by uuid not null references users (id),
  granted_at timestamptz not null default clock_timestamp()
);
