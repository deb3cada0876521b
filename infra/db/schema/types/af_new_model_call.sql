-- Call of a model, as af_open_model_call and af_settle_model_call book it.
create type af_new_model_call as (
  id uuid,
  run_id uuid,
  owner uuid,
  step_path text,
  effect_key text,
  try_no integer,
  provider text,
  model text,
  input_tokens bigint,
  output_tokens bigint,
  cost_usd numeric,
  outcome text,
  latency_ms integer
);
