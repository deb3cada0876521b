set local role af_migrate;

create or replace function af_sum_up_calls() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  new.connectors_called := coalesce((
    select json_agg(json_build_object('connector', s.connector, 'endpoint', s.endpoint, 'calls', s.calls, 'failed', s.failed,
        'requests', s.requests, 'stale', s.stale) order by s.connector, s.endpoint)
      from (select e.payload ->> 'connector' as connector, e.payload ->> 'endpoint' as endpoint, count(*) as calls,
          count(*) filter (where e.payload ->> 'outcome' <> 'ok') as failed,
          coalesce(sum((e.payload ->> 'requests')::integer), 0) as requests,
          count(*) filter (where e.payload ->> 'stale_seconds' is not null) as stale
        from run_events e where e.run_id = new.id and e.type = 'source.called' group by 1, 2) s), '[]');
  return new;
end $$;

create or replace function af_record_model_call(p_id uuid, p_run uuid, p_owner uuid, p_step_path text, p_effect_key text, p_try_no integer,
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
    cost_usd = case when p_cost is null then cost_usd else coalesce(cost_usd, 0) + p_cost end
    where id = p_run;
  return true;
end $$;

alter table runs drop column unpriced_calls;

reset role;
