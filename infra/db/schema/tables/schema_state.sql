-- Version of the functions, triggers, policies and grants (infra/db/schema) in this database: one row.
create table schema_state (
  only_row boolean primary key default true check (only_row),
  version integer not null,
  hash text not null,
  applied_at timestamptz not null default now()
);
