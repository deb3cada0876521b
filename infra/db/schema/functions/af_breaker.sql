-- Keeps the circuit breaker of a source. act: `look` reads it; `failed` and `ok` report a call; `probe` asks for the one call that tests
-- the source. state: `closed`, `open`, `half_open` (no probe yet), `probing`; `mine`: this worker has the probe.
create function af_breaker(p_use json, out state text, out wait_ms bigint, out failures integer, out mine boolean)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_use constant af_breaker_use := json_populate_record(null::af_breaker_use, p_use);
  v connector_breakers;
  v_now constant timestamptz := clock_timestamp();
  v_opens boolean;
begin
  if v_use.act = 'failed' then
    insert into connector_breakers as b (key, owner_id, origin) values (v_use.key, v_use.owner, v_use.origin) on conflict (key) do nothing;
    select * into v from connector_breakers b where b.key = v_use.key for update;
    -- Ignores calls that were under way when it opened, and failures that lie far apart: they are no sign of one outage.
    if v.open_until is null or (v.open_until <= v_now and v.probe_worker = v_use.worker) then
      v.failures := case when v.open_until is null and v.updated_at < v_now - interval '5 minutes' then 1
        else v.failures + 1 end;
      v_opens := v.open_until is not null or v.failures >= v_use.threshold;
      update connector_breakers b set failures = v.failures, updated_at = v_now, probe_until = null, probe_worker = null,
          opened = b.opened + v_opens::integer,
          open_until = case when v_opens
            then v_now + make_interval(secs => least(60, v_use.open_seconds * 2 ^ least(b.opened, 10))) end
        where b.key = v_use.key;
    end if;
  elsif v_use.act = 'ok' then
    update connector_breakers b set failures = 0, opened = 0, open_until = null, probe_until = null, probe_worker = null,
        updated_at = v_now
      where b.key = v_use.key and b.failures > 0;
  elsif v_use.act = 'probe' then
    update connector_breakers b set probe_until = v_now + make_interval(secs => v_use.probe_seconds), probe_worker = v_use.worker
      where b.key = v_use.key and b.open_until <= v_now and (b.probe_until is null or b.probe_until <= v_now);
    mine := found;
  end if;
  select * into v from connector_breakers b where b.key = v_use.key;
  failures := coalesce(v.failures, 0);
  mine := coalesce(mine, false);
  if v.open_until is null then
    state := 'closed';
    wait_ms := 0;
  elsif v.open_until > v_now then
    state := 'open';
    wait_ms := ceil(extract(epoch from v.open_until - v_now) * 1000);
  elsif v.probe_until > v_now then
    state := 'probing';
    wait_ms := ceil(extract(epoch from v.probe_until - v_now) * 1000);
  else
    state := 'half_open';
    wait_ms := 0;
  end if;
end $$;
