-- Counts a call of a model once, and adds it to the totals of its run. False: it is counted already.
create function af_record_model_call(p_call json) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new constant af_new_model_call := json_populate_record(null::af_new_model_call, p_call);
begin
  insert into model_calls (id, run_id, owner_id, step_path, effect_key, try_no, call_no, provider, model, input_tokens,
      output_tokens, cost_usd, outcome, latency_ms)
    select v_new.id, r.id, r.owner_id, v_new.step_path, v_new.effect_key, v_new.try_no, v_new.call_no, v_new.provider,
      v_new.model, v_new.input_tokens,
      v_new.output_tokens, v_new.cost_usd, v_new.outcome, v_new.latency_ms
    from runs r where r.id = v_new.run_id and r.owner_id = v_new.owner
    on conflict (run_id, effect_key, try_no, call_no) do nothing;
  if not found then
    return false;
  end if;
  update runs set input_tokens = input_tokens + coalesce(v_new.input_tokens, 0),
    output_tokens = output_tokens + coalesce(v_new.output_tokens, 0),
    cost_usd = case when v_new.cost_usd is null then cost_usd else coalesce(cost_usd, 0) + v_new.cost_usd end,
    unpriced_calls = unpriced_calls + case when v_new.cost_usd is null then 1 else 0 end
    where id = v_new.run_id;
  return true;
end $$;
