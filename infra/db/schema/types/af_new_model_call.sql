-- What af_record_model_call counts.
create type af_new_model_call as (
  id uuid,
  run_id uuid,
  owner uuid,
  step_path text,
  effect_key text,
  try_no integer,
  call_no integer,
  provider text,
  model text,
  input_tokens integer,
  output_tokens integer,
  cost_usd numeric,
  outcome text,
  latency_ms integer
);
