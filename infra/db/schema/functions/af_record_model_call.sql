create function af_record_model_call(p_id uuid, p_run uuid, p_owner uuid, p_step_path text, p_effect_key text, p_try_no integer,
  p_call_no integer, p_provider text, p_model text, p_input_tokens integer, p_output_tokens integer, p_cost numeric,
  p_outcome text, p_latency integer) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into model_calls (id, run_id, owner_id, step_path, effect_key, try_no, call_no, provider, model, input_tokens,
      output_tokens, cost_usd, outcome, latency_ms)
    select p_id, r.id, r.owner_id, p_step_path, p_effect_key, p_try_no, p_call_no, p_provider, p_model, p_input_tokens,
      p_output_tokens, p_cost, p_outcome, p_latency
    from runs r where r.id = p_run and r.owner_id = p_owner
    on conflict (run_id, effect_key, try_no, call_no) do nothing;
  if not found then
    return false;
  end if;
  update runs set input_tokens = input_tokens + coalesce(p_input_tokens, 0),
    output_tokens = output_tokens + coalesce(p_output_tokens, 0),
    cost_usd = case when p_cost is null then cost_usd else coalesce(cost_usd, 0) + p_cost end,
    unpriced_calls = unpriced_calls + case when p_cost is null then 1 else 0 end
    where id = p_run;
  return true;
end $$;
