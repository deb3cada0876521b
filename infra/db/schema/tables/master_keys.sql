-- Master keys that were ever used here: what a process lacks, it is told at its start and not in the middle of a run.
-- Belongs to the installation and not to an owner. check_value: HMAC of a constant under the key; says nothing of it.
create table master_keys (
  id text primary key,
  check_value text not null,
  created_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz
);
