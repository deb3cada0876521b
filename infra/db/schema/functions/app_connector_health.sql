-- Summarises the last day of a connector: latency and errors of requests that left, use of limits, breakers. A common bucket shows the use
-- of all owners.
create function app_connector_health(p_connector text) returns json language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_health json;
begin
  with calls as materialized (
    select * from connector_calls c where c.owner_id = app_uid() and c.connector = p_connector
      and c.at > clock_timestamp() - interval '1 day'),
  sent as (select * from calls where cache not in ('hit', 'stale')),
  origins as (select distinct origin from calls)
  select json_build_object(
    'calls', (select count(*) from calls),
    'requests', (select count(*) from sent),
    'failed', (select count(*) from sent where outcome <> 'ok'),
    'error_rate', (select round(count(*) filter (where outcome <> 'ok') / nullif(count(*), 0)::numeric, 4) from sent),
    'cache_hits', (select count(*) from calls where cache in ('hit', 'revalidated')),
    'stale_answers', (select count(*) from calls where cache = 'stale'),
    'latency_p50_ms', (select percentile_cont(0.5) within group (order by latency_ms)
      from sent where status is not null or outcome = 'ok'),
    'latency_p95_ms', (select percentile_cont(0.95) within group (order by latency_ms)
      from sent where status is not null or outcome = 'ok'),
    'last_call_at', (select max(at) from calls),
    'last_error', (select json_build_object('code', outcome, 'endpoint', endpoint, 'at', at) from sent where outcome <> 'ok'
      order by at desc, id desc limit 1),
    'breakers', coalesce((select json_agg(json_build_object('origin', b.origin, 'state', case
          when b.open_until is null then 'closed' when b.open_until > clock_timestamp() then 'open' else 'half_open' end,
          'failures', b.failures, 'open_until', b.open_until) order by b.origin, b.key)
        from connector_breakers b where b.owner_id = app_uid() and b.origin in (select origin from origins)), '[]'),
    'limits', coalesce((select json_agg(json_build_object('origin', b.origin, 'shared', b.owner_id is null,
          'blocked_until', case when b.blocked_until > clock_timestamp() then b.blocked_until end,
          'used', (select coalesce(json_object_agg(u.period, u.used), '{}') from (
            select u.period, sum(u.used) as used from connector_bucket_use u cross join lateral af_period(u.period) p
              where u.key = b.key and (u.slice + 1) * p.slice + p.length > extract(epoch from clock_timestamp()) * 1000
              group by u.period) u)) order by b.origin, b.key)
        from connector_buckets b where (b.owner_id = app_uid() or b.owner_id is null)
          and b.origin in (select origin from origins)), '[]'),
    'credentials', coalesce((select json_agg(json_build_object('credential', nullif(s.credential, ''), 'state', s.state,
          'status', s.status, 'endpoint', s.endpoint, 'since', s.since) order by s.credential)
        from connector_bindings s where s.owner_id = app_uid() and s.connector = p_connector), '[]'))
    into v_health;
  return v_health;
end $$;
