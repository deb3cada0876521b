-- p_act: `look`; `failed` and `ok` report a call; `probe` asks to be the one that tries whether the source is back.
-- state: `closed`, `open`, `half_open` (nobody tries), `probing`; `mine`: the asker is the one who tries.
create function af_breaker(p_key text, p_owner uuid, p_origin text, p_worker text, p_act text, p_threshold integer,
  p_open_seconds integer, p_probe_seconds integer, out state text, out wait_ms bigint, out failures integer, out mine boolean)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v connector_breakers;
  v_now constant timestamptz := clock_timestamp();
  v_opens boolean;
begin
  if p_act = 'failed' then
    insert into connector_breakers as b (key, owner_id, origin) values (p_key, p_owner, p_origin) on conflict (key) do nothing;
    select * into v from connector_breakers b where b.key = p_key for update;
    -- What was under way when it opened says nothing new; failures far apart are not one outage.
    if v.open_until is null or (v.open_until <= v_now and v.probe_worker = p_worker) then
      v.failures := case when v.open_until is null and v.updated_at < v_now - interval '5 minutes' then 1
        else v.failures + 1 end;
      v_opens := v.open_until is not null or v.failures >= p_threshold;
      update connector_breakers b set failures = v.failures, updated_at = v_now, probe_until = null, probe_worker = null,
          opened = b.opened + v_opens::integer,
          open_until = case when v_opens
            then v_now + make_interval(secs => least(60, p_open_seconds * 2 ^ least(b.opened, 10))) end
        where b.key = p_key;
    end if;
  elsif p_act = 'ok' then
    update connector_breakers b set failures = 0, opened = 0, open_until = null, probe_until = null, probe_worker = null,
        updated_at = v_now
      where b.key = p_key and b.failures > 0;
  elsif p_act = 'probe' then
    update connector_breakers b set probe_until = v_now + make_interval(secs => p_probe_seconds), probe_worker = p_worker
      where b.key = p_key and b.open_until <= v_now and (b.probe_until is null or b.probe_until <= v_now);
    mine := found;
  end if;
  select * into v from connector_breakers b where b.key = p_key;
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
