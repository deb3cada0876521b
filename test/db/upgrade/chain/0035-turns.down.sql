set local role af_migrate;

delete from connector_confirmations where origins = '{postgresql}';

drop function af_await_turn(text, uuid, bigint), af_effect_sent(uuid, text, integer, text, text, json, text);

-- The attempt row of an effect, committed before the request leaves.
-- Returns {sent, control, reason}; reason: `outcome_unknown` (an unsafe request left earlier, under any try, and has no
-- result), `recorded` (this try has its result: the caller is a late attempt), `closed` (cancelled or closed),
-- `no_attempt` (nobody began this try).
create or replace function af_effect_sent(p_run uuid, p_effect_key text, p_try_no integer, p_effect text, p_target text, p_events json)
returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run record;
  v_seq bigint;
  v_reason text;
begin
  select owner_id, control, status, seq, watched_until into v_run from runs where id = p_run for no key update;
  if not found or v_run.control = 'cancel' or af_closed(v_run.status) then
    return json_build_object('sent', false, 'control', 'cancel', 'reason', 'closed');
  end if;
  if af_recorded(p_run, p_effect_key, p_try_no) is not null then
    v_reason := 'recorded';
  elsif p_effect = 'unsafe' and exists (
    select 1 from step_attempts a
      where a.run_id = p_run and a.effect_key = p_effect_key and a.effect = 'unsafe' and a.effect_sent_count > 0
        and coalesce(a.resolution, '') not in ('repeat', 'not_done')
        and not exists (select 1 from step_results r
          where r.run_id = p_run and r.effect_key = p_effect_key and r.try_no = a.try_no)
  ) then
    v_reason := 'outcome_unknown';
  else
    update step_attempts set effect = p_effect, effect_target = p_target, effect_sent_count = effect_sent_count + 1,
      effect_sent_at = clock_timestamp(), resolution = null
      where run_id = p_run and effect_key = p_effect_key and try_no = p_try_no;
    if not found then
      v_reason := 'no_attempt';
    end if;
  end if;
  if v_reason is not null then
    return json_build_object('sent', false, 'control', v_run.control, 'reason', v_reason);
  end if;
  v_seq := af_append(p_run, v_run.owner_id, v_run.seq, p_events);
  perform af_touch(p_run, v_run.seq, v_seq, null, v_run.watched_until);
  return json_build_object('sent', true, 'control', v_run.control, 'reason', null);
end $$;

-- Leases up to p_want requests within all limits at once. p_periods, p_caps: what the caller's definition allows him, and nobody else;
-- p_shipped_…: what the catalogue says of the origin, for common buckets. Nobody's own definition says how much all together may: what
-- one writes down would silence the others. Where the catalogue says nothing, the source itself does: its refusal holds for all. What is leased counts from now until it can no longer be in any window, used or
-- not; so nobody has to give anything back when a worker dies. In a common bucket all together stay below the common limit, and an
-- owner gets more than his share of it only while the others who ask leave it.
-- granted 0: ask again in wait_ms, because of `reason` (`rate_limited`, `quota_used_up`, or what the source said).
-- limited: some limit counts. slots: calls in flight of all owners together; null where nobody limits them.
create or replace function af_lease_requests(p_key text, p_owner uuid, p_common boolean, p_origin text, p_periods text[], p_caps integer[],
  p_shipped_periods text[], p_shipped_caps integer[], p_want integer, out granted integer, out usable_ms bigint,
  out wait_ms bigint, out reason text, out limited boolean, out slots integer) language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_now bigint;
  v_blocked timestamptz;
  v_why text;
  v_active integer := 1;
  v_period record;
  v_slice record;
  v_total bigint;
  v_own bigint;
  v_share bigint;
  v_room bigint;
  v_wait bigint;
  v_periods text[] := p_periods;
  v_common_periods text[] := '{}';
  v_common_caps integer[] := '{}';
begin
  insert into connector_buckets as b (key, owner_id, origin) values (p_key, case when not p_common then p_owner end, p_origin)
    on conflict (key) do update set updated_at = clock_timestamp()
    returning b.blocked_until, b.blocked_reason into v_blocked, v_why;
  v_now := floor(extract(epoch from clock_timestamp()) * 1000);
  granted := p_want;
  usable_ms := 5000;
  wait_ms := 0;
  if p_common then
    insert into connector_askers as a (key, owner_id) values (p_key, p_owner)
      on conflict (key, owner_id) do update set asked_at = clock_timestamp();
    delete from connector_askers where key = p_key and asked_at < clock_timestamp() - interval '15 seconds';
    select count(*) into v_active from connector_askers where key = p_key;
    select coalesce(array_agg(c.name), '{}'), coalesce(array_agg(c.cap), '{}') into v_common_periods, v_common_caps
      from unnest(p_shipped_periods, p_shipped_caps) as c (name, cap) where c.name <> 'concurrency';
    select c.cap into slots from unnest(p_shipped_periods, p_shipped_caps) as c (name, cap) where c.name = 'concurrency';
    v_periods := array(select unnest(v_common_periods) union select n from unnest(p_periods) n where n <> 'concurrency');
  end if;
  limited := cardinality(v_periods) > 0;
  if v_blocked > clock_timestamp() then
    granted := 0;
    wait_ms := ceil(extract(epoch from v_blocked - clock_timestamp()) * 1000);
    reason := v_why;
    return;
  end if;

  for v_period in
    select n.name, c.cap as common, o.cap as own, p.* from unnest(v_periods) as n (name)
      left join unnest(v_common_periods, v_common_caps) as c (name, cap) on c.name = n.name
      left join unnest(p_periods, p_caps) as o (name, cap) on o.name = n.name
      cross join lateral af_period(n.name) p
  loop
    v_share := case when v_period.common is not null then greatest(1, ceil(v_period.common::numeric / v_active)) end;
    usable_ms := least(usable_ms, v_period.usable);
    delete from connector_bucket_use u where u.key = p_key and u.period = v_period.name
      and (u.slice + 1) * v_period.slice + v_period.usable + v_period.length <= v_now;
    select coalesce(sum(u.used), 0), coalesce(sum(u.used) filter (where u.owner_id = p_owner), 0) into v_total, v_own
      from connector_bucket_use u where u.key = p_key and u.period = v_period.name;
    -- `least` passes over what is null.
    v_room := least(v_period.common - v_total, v_share - v_own, v_period.own - v_own);
    if v_room <= 0 then
      -- When the slices that leave the window next have made room for one.
      v_wait := v_period.slice;
      for v_slice in
        select u.slice, sum(u.used) as used, coalesce(sum(u.used) filter (where u.owner_id = p_owner), 0) as own
          from connector_bucket_use u where u.key = p_key and u.period = v_period.name group by u.slice order by u.slice
      loop
        v_total := v_total - v_slice.used;
        v_own := v_own - v_slice.own;
        v_wait := (v_slice.slice + 1) * v_period.slice + v_period.usable + v_period.length - v_now;
        exit when least(v_period.common - v_total, v_share - v_own, v_period.own - v_own) > 0;
      end loop;
      if v_wait > wait_ms then
        wait_ms := v_wait;
        reason := case when v_period.name in ('day', 'month') then 'quota_used_up' else 'rate_limited' end;
      end if;
    end if;
    granted := least(granted, greatest(v_room, 0));
  end loop;

  if granted > 0 then
    insert into connector_bucket_use as u (key, period, slice, owner_id, used)
      select p_key, n.name, v_now / p.slice, p_owner, granted
        from unnest(v_periods) as n (name) cross join lateral af_period(n.name) p
      on conflict (key, period, slice, owner_id) do update set used = u.used + excluded.used;
    wait_ms := 0;
    reason := null;
  end if;
end $$;

create or replace function af_block_bucket(p_key text, p_owner uuid, p_common boolean, p_origin text, p_ms bigint, p_reason text)
returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into connector_buckets as b (key, owner_id, origin, blocked_until, blocked_reason)
    values (p_key, case when not p_common then p_owner end, p_origin,
      clock_timestamp() + make_interval(secs => p_ms / 1000.0), p_reason)
    on conflict (key) do update set blocked_until = excluded.blocked_until, blocked_reason = excluded.blocked_reason,
        updated_at = clock_timestamp()
      where b.blocked_until is null or b.blocked_until < excluded.blocked_until;
end $$;

create or replace function af_sweep_connectors(p_days integer, p_limit integer) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_gone bigint := 0;
  v_count bigint;
begin
  delete from connector_calls where id in (select id from connector_calls
    where at < clock_timestamp() - make_interval(days => p_days) order by at limit p_limit);
  get diagnostics v_gone = row_count;
  delete from connector_cache where id in (select id from connector_cache where drop_at < clock_timestamp()
    order by drop_at limit p_limit);
  get diagnostics v_count = row_count;
  v_gone := greatest(v_gone, v_count);
  delete from connector_breakers where key in (select key from connector_breakers
    where updated_at < clock_timestamp() - interval '1 day' order by updated_at limit p_limit);
  -- A month's window is the longest.
  delete from connector_buckets where key in (select key from connector_buckets
    where updated_at < clock_timestamp() - interval '32 days' order by updated_at limit p_limit);
  delete from connector_bucket_use u where not exists (select from connector_buckets b where b.key = u.key);
  delete from connector_askers a where a.asked_at < clock_timestamp() - interval '1 hour';
  delete from connector_slots where expires_at < clock_timestamp() - interval '1 hour';
  return v_gone >= p_limit;
end $$;

alter table connector_askers drop column turn, drop column held_back, drop column awaited, drop column back_until;
alter table connector_buckets drop column turn, drop column turns_until;
reset role;
