-- Results of steps, one row for each try that an activity carried out. All tries of a step have the same effect key.
create table step_results (
  run_id uuid not null,
  effect_key text not null,
  try_no integer not null,
  owner_id uuid not null,
  step_path text not null,
  step_name text not null,
  action text not null,
  status text not null check (status in ('ok', 'failed')),
  input json,
  output json,
  error json,
  started_at timestamptz not null,
  finished_at timestamptz not null default clock_timestamp(),
  copied_from uuid,
  primary key (run_id, effect_key, try_no)
);
