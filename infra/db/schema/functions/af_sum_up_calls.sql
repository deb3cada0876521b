-- Sums up the connector calls of a run from the events of its steps. A call with an unknown outcome has no event: once a person says what
-- happened (`done`, `not_done`), its attempt is counted, with the connector and endpoint at the beginning of its target.
create function af_sum_up_calls() returns trigger language plpgsql
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
          -- Counts only effects that left in this run; earlier ones are calls of the run that it retries.
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
