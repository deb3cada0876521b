-- Calls of models with tokens and cost, booked before they leave: a lost call may have cost something, too.
create table model_calls (
  id uuid primary key,
  run_id uuid not null references runs (id),
  owner_id uuid not null,
  step_path text not null,
  effect_key text not null,
  try_no integer not null,
  call_no integer not null,
  provider text not null,
  model text not null,
  input_tokens bigint,
  output_tokens bigint,
  cost_usd numeric,
  -- Outcome: `open` while it is under way, `lost` when its worker ended first; both without a latency.
  outcome text not null,
  latency_ms integer,
  at timestamptz not null default clock_timestamp(),
  unique (run_id, effect_key, try_no, call_no)
);
