-- Leases up to `want` requests within all limits at once, so that workers share the limits of a source.
--   periods, caps    limits of the caller's definition, for the caller only: a person's definition must not slow down others
--   shipped_…        limits of the catalogue for the origin, for common buckets
-- Without limits in the catalogue the source's own refusal holds for all, and for a while after it owners take turns: nobody is more than
-- one request ahead of an owner who was held back and comes again. A leased request counts until it can be in no window any more, used or
-- not, so that a lost worker has nothing to give back. In a common bucket all owners together stay below the common limit, and an owner
-- gets more than their share only while the others leave it.
-- granted 0: the caller asks again in wait_ms, because of `reason` (`rate_limited`, `quota_used_up`, or the source's own words).
-- limited: a limit applies. slots: calls in flight of all owners together; null: no limit.
create function af_lease_requests(p_wanted json,
  out granted integer, out usable_ms bigint, out wait_ms bigint, out reason text, out limited boolean, out slots integer)
    language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_wanted constant af_requests_wanted := json_populate_record(null::af_requests_wanted, p_wanted);
  v_now bigint;
  v_blocked timestamptz;
  v_why text;
  v_turns_until timestamptz;
  v_turn bigint;
  v_turns boolean := false;
  v_mine bigint;
  v_next bigint;
  v_back timestamptz;
  v_active integer := 1;
  v_period record;
  v_slice record;
  v_total bigint;
  v_own bigint;
  v_share bigint;
  v_room bigint;
  v_wait bigint;
  v_periods text[] := v_wanted.periods;
  v_common_periods text[] := '{}';
  v_common_caps integer[] := '{}';
begin
  insert into connector_buckets as b (key, owner_id, origin) values (v_wanted.key, case when not v_wanted.common then
    v_wanted.owner end, v_wanted.origin)
    on conflict (key) do update set updated_at = clock_timestamp()
    returning b.blocked_until, b.blocked_reason, b.turns_until, b.turn into v_blocked, v_why, v_turns_until, v_turn;
  v_now := floor(extract(epoch from clock_timestamp()) * 1000);
  granted := v_wanted.want;
  usable_ms := 5000;
  wait_ms := 0;
  if v_wanted.common then
    insert into connector_askers as a (key, owner_id) values (v_wanted.key, v_wanted.owner)
      on conflict (key, owner_id) do update set asked_at = clock_timestamp(), awaited = greatest(0, a.awaited - v_wanted.want);
    -- Notes whose turn it was while owners take turns.
    delete from connector_askers a where a.key = v_wanted.key and a.asked_at < clock_timestamp() - interval '15 seconds'
      and coalesce(v_turns_until, '-infinity') < clock_timestamp();
    select count(*) into v_active from connector_askers a
      where a.key = v_wanted.key and a.asked_at >= clock_timestamp() - interval '15 seconds';
    select coalesce(array_agg(c.name), '{}'), coalesce(array_agg(c.cap), '{}') into v_common_periods, v_common_caps
      from unnest(v_wanted.shipped_periods, v_wanted.shipped_caps) as c (name, cap) where c.name <> 'concurrency';
    select c.cap into slots from unnest(v_wanted.shipped_periods, v_wanted.shipped_caps) as c (name, cap) where c.name = 'concurrency';
    v_periods := array(select unnest(v_common_periods) union select n from unnest(v_wanted.periods) n where n <> 'concurrency');
  end if;
  v_turns := v_wanted.common and cardinality(v_common_periods) = 0 and coalesce(v_turns_until > clock_timestamp(), false);
  limited := v_turns or cardinality(v_periods) > 0;
  if v_blocked > clock_timestamp() then
    update connector_askers set held_back = true where key = v_wanted.key and owner_id = v_wanted.owner and v_turns;
    granted := 0;
    wait_ms := ceil(extract(epoch from v_blocked - clock_timestamp()) * 1000);
    reason := v_why;
    return;
  end if;

  if v_turns then
    -- Places a new or returning owner near the others: they are owed little for the time in which they asked for nothing.
    v_turn := v_turn - 3;
    select greatest(v_turn, a.turn) into v_mine from connector_askers a where a.key = v_wanted.key and a.owner_id =
      v_wanted.owner;
    select greatest(v_turn, a.turn), a.back_until into v_next, v_back from connector_askers a
      where a.key = v_wanted.key and a.owner_id <> v_wanted.owner and a.awaited > 0 and a.back_until > clock_timestamp()
      order by 1, 2 limit 1;
    granted := least(granted, v_next - v_mine + 1);
    if granted <= 0 then
      granted := 0;
      -- Waits until the other owner has come or should have come, with short steps so that no time is lost.
      wait_ms := least(4000, greatest(250, ceil(extract(epoch from v_back - clock_timestamp()) * 250)));
      reason := 'rate_limited';
      update connector_askers set held_back = true where key = v_wanted.key and owner_id = v_wanted.owner;
      return;
    end if;
    update connector_askers set held_back = false where key = v_wanted.key and owner_id = v_wanted.owner;
  end if;

  for v_period in
    select n.name, c.cap as common, o.cap as own, p.* from unnest(v_periods) as n (name)
      left join unnest(v_common_periods, v_common_caps) as c (name, cap) on c.name = n.name
      left join unnest(v_wanted.periods, v_wanted.caps) as o (name, cap) on o.name = n.name
      cross join lateral af_period(n.name) p
  loop
    v_share := case when v_period.common is not null then greatest(1, ceil(v_period.common::numeric / v_active)) end;
    usable_ms := least(usable_ms, v_period.usable);
    delete from connector_bucket_use u where u.key = v_wanted.key and u.period = v_period.name
      and (u.slice + 1) * v_period.slice + v_period.usable + v_period.length <= v_now;
    select coalesce(sum(u.used), 0), coalesce(sum(u.used) filter (where u.owner_id = v_wanted.owner), 0) into v_total, v_own
      from connector_bucket_use u where u.key = v_wanted.key and u.period = v_period.name;
    -- Relies on `least`, which ignores null.
    v_room := least(v_period.common - v_total, v_share - v_own, v_period.own - v_own);
    if v_room <= 0 then
      -- Waits until the slices that leave the window next have made room for one request.
      v_wait := v_period.slice;
      for v_slice in
        select u.slice, sum(u.used) as used, coalesce(sum(u.used) filter (where u.owner_id = v_wanted.owner), 0) as own
          from connector_bucket_use u where u.key = v_wanted.key and u.period = v_period.name group by u.slice order by u.slice
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
      select v_wanted.key, n.name, v_now / p.slice, v_wanted.owner, granted
        from unnest(v_periods) as n (name) cross join lateral af_period(n.name) p
      on conflict (key, period, slice, owner_id) do update set used = u.used + excluded.used;
    wait_ms := 0;
    reason := null;
    if v_turns then
      update connector_buckets b set turn = greatest(b.turn, v_mine + granted - 1) where b.key = v_wanted.key;
      update connector_askers set turn = v_mine + granted where key = v_wanted.key and owner_id = v_wanted.owner;
    end if;
  end if;
end $$;
