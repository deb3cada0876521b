-- What a run's totals leave out or forgot: model calls without a known price, and calls whose outcome a person told.
set local role af_migrate;

-- ── money ───────────────────────────────────────────────────────────────────────────────────────
-- Model calls that cost_usd does not hold: no price is known for their model, or their provider reported no tokens.
alter table runs add column unpriced_calls integer not null default 0;
update runs r set unpriced_calls = c.calls
  from (select run_id, count(*) as calls from model_calls where cost_usd is null group by run_id) c where c.run_id = r.id;

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
    cost_usd = case when p_cost is null then cost_usd else coalesce(cost_usd, 0) + p_cost end,
    unpriced_calls = unpriced_calls + case when p_cost is null then 1 else 0 end
    where id = p_run;
  return true;
end $$;

-- ── calls of connectors ─────────────────────────────────────────────────────────────────────────
-- Calls are events of their steps. One whose outcome is unknown leaves no event: once a person told it (`done`, `not_done`),
-- its attempt stands for it, and the connector and endpoint are those that its target begins with.
create or replace function af_sum_up_calls() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  new.connectors_called := coalesce((
    select json_agg(json_build_object('connector', s.connector, 'endpoint', s.endpoint, 'calls', s.calls, 'failed', s.failed,
        'requests', s.requests, 'stale', s.stale) order by s.connector, s.endpoint)
      from (select c.connector, c.endpoint, count(*) as calls, count(*) filter (where c.failed) as failed,
          coalesce(sum(c.requests), 0) as requests, count(*) filter (where c.stale) as stale
        from (
          select e.payload ->> 'connector' as connector, e.payload ->> 'endpoint' as endpoint, e.payload ->> 'outcome' <> 'ok' as failed,
              (e.payload ->> 'requests')::integer as requests, e.payload ->> 'stale_seconds' is not null as stale
            from run_events e where e.run_id = new.id and e.type = 'source.called'
          union all
          -- What left before this run was made is a call of the run that it retries.
          select t.named[1], t.named[2], a.resolution = 'not_done', a.effect_sent_count, false
            from step_attempts a
            cross join lateral regexp_match(a.effect_target, '^([a-z0-9-]+)\.([a-z0-9_]+): ') as t (named)
            where a.run_id = new.id and a.resolution in ('done', 'not_done') and a.effect_sent_at >= new.created_at
              and t.named is not null
              and not exists (select from step_results r
                where r.run_id = a.run_id and r.effect_key = a.effect_key and r.try_no = a.try_no)
        ) c group by 1, 2) s), '[]');
  return new;
end $$;

reset role;
