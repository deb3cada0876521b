-- Master keys that this installation ever used: a process that lacks one learns it at its start and not in the middle of a run.
-- check_value: HMAC of a constant under the key, which reveals nothing about it.
create table master_keys (
  id text primary key,
  check_value text not null,
  created_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz
);
