-- Completes the row of a call once, even if the call was taken for lost, and adds it to the totals of its run. Token totals stop at 2^53-1,
-- the largest integer that JSON readers keep exactly. False: there is no such call.
create function af_settle_model_call(p_call json) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  c_most constant bigint := 9007199254740991;
  v_new constant af_new_model_call := json_populate_record(null::af_new_model_call, p_call);
begin
  perform from runs where id = v_new.run_id and owner_id = v_new.owner for no key update;
  update model_calls set input_tokens = v_new.input_tokens, output_tokens = v_new.output_tokens, cost_usd = v_new.cost_usd,
    outcome = v_new.outcome, latency_ms = v_new.latency_ms
    where id = v_new.id and run_id = v_new.run_id and owner_id = v_new.owner and outcome in ('open', 'lost');
  if not found then
    return exists (select from model_calls where id = v_new.id and run_id = v_new.run_id and owner_id = v_new.owner);
  end if;
  update runs set input_tokens = least(input_tokens + coalesce(v_new.input_tokens, 0), c_most),
    output_tokens = least(output_tokens + coalesce(v_new.output_tokens, 0), c_most),
    cost_usd = case when v_new.cost_usd is null then cost_usd else coalesce(cost_usd, 0) + v_new.cost_usd end,
    unpriced_calls = unpriced_calls - case when v_new.cost_usd is null then 0 else 1 end
    where id = v_new.run_id;
  return true;
end $$;
