-- Attempts of steps: which worker carries out a try, and what left. starts - released - 1 = workers lost on it.
create table step_attempts (
  run_id uuid not null,
  effect_key text not null,
  try_no integer not null,
  owner_id uuid not null,
  step_path text not null,
  starts integer not null default 0,
  released integer not null default 0,
  worker text,
  -- Effect of the attempt, committed before the request leaves.
  effect text check (effect in ('idempotent', 'keyed', 'unsafe')),
  effect_target text,
  effect_sent_count integer not null default 0,
  effect_sent_at timestamptz,
  -- Answer of a person for an unsafe effect with an unknown outcome.
  resolution text check (resolution in ('done', 'not_done', 'repeat')),
  first_started_at timestamptz not null default clock_timestamp(),
  last_started_at timestamptz not null default clock_timestamp(),
  resolved_at timestamptz,
  -- SHA-256 of the inputs with which the effect left, and its key, where that was not the effect key.
  input_digest text,
  left_as text,
  primary key (run_id, effect_key, try_no)
) with (fillfactor=80);
