-- Whose turn it is: of owners at an origin that refused, and of workers at one try of a step. And the place of a database's secret.
set local role af_migrate;

-- ── turns of owners ─────────────────────────────────────────────────────────────────────────────
-- turns_until: owners take turns until then. turn: where the one stands who is furthest ahead; the others are not far behind.
alter table connector_buckets add column turns_until timestamptz, add column turn bigint not null default 0;
-- turn: where this owner stands. held_back: he was refused for the sake of the source or of another owner. awaited, back_until: so many
-- requests of his come again by then.
alter table connector_askers add column turn bigint not null default 0, add column held_back boolean not null default false,
  add column awaited integer not null default 0, add column back_until timestamptz;

-- Leases up to p_want requests within all limits at once. p_periods, p_caps: what the caller's definition allows him, and nobody else;
-- p_shipped_…: what the catalogue says of the origin, for common buckets. Nobody's own definition says how much all together may: what
-- one writes down would silence the others. Where the catalogue says nothing, the source itself does: its refusal holds for all, and
-- for a while after it owners take turns: nobody gets more than a request ahead of one who was held back and comes again. What is
-- leased counts from now until it can no longer be in any window, used or not; so nobody has to give anything back when a worker dies. In a common bucket all together stay below the common limit, and an
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
  v_periods text[] := p_periods;
  v_common_periods text[] := '{}';
  v_common_caps integer[] := '{}';
begin
  insert into connector_buckets as b (key, owner_id, origin) values (p_key, case when not p_common then p_owner end, p_origin)
    on conflict (key) do update set updated_at = clock_timestamp()
    returning b.blocked_until, b.blocked_reason, b.turns_until, b.turn into v_blocked, v_why, v_turns_until, v_turn;
  v_now := floor(extract(epoch from clock_timestamp()) * 1000);
  granted := p_want;
  usable_ms := 5000;
  wait_ms := 0;
  if p_common then
    insert into connector_askers as a (key, owner_id) values (p_key, p_owner)
      on conflict (key, owner_id) do update set asked_at = clock_timestamp(), awaited = greatest(0, a.awaited - p_want);
    -- While turns are taken it is known who had his.
    delete from connector_askers a where a.key = p_key and a.asked_at < clock_timestamp() - interval '15 seconds'
      and coalesce(v_turns_until, '-infinity') < clock_timestamp();
    select count(*) into v_active from connector_askers a
      where a.key = p_key and a.asked_at >= clock_timestamp() - interval '15 seconds';
    select coalesce(array_agg(c.name), '{}'), coalesce(array_agg(c.cap), '{}') into v_common_periods, v_common_caps
      from unnest(p_shipped_periods, p_shipped_caps) as c (name, cap) where c.name <> 'concurrency';
    select c.cap into slots from unnest(p_shipped_periods, p_shipped_caps) as c (name, cap) where c.name = 'concurrency';
    v_periods := array(select unnest(v_common_periods) union select n from unnest(p_periods) n where n <> 'concurrency');
  end if;
  v_turns := p_common and cardinality(v_common_periods) = 0 and coalesce(v_turns_until > clock_timestamp(), false);
  limited := v_turns or cardinality(v_periods) > 0;
  if v_blocked > clock_timestamp() then
    update connector_askers set held_back = true where key = p_key and owner_id = p_owner and v_turns;
    granted := 0;
    wait_ms := ceil(extract(epoch from v_blocked - clock_timestamp()) * 1000);
    reason := v_why;
    return;
  end if;

  if v_turns then
    -- Who comes anew, or again after a while, begins about where the others are: he is owed little of what he never asked for.
    v_turn := v_turn - 3;
    select greatest(v_turn, a.turn) into v_mine from connector_askers a where a.key = p_key and a.owner_id = p_owner;
    select greatest(v_turn, a.turn), a.back_until into v_next, v_back from connector_askers a
      where a.key = p_key and a.owner_id <> p_owner and a.awaited > 0 and a.back_until > clock_timestamp()
      order by 1, 2 limit 1;
    granted := least(granted, v_next - v_mine + 1);
    if granted <= 0 then
      granted := 0;
      -- Until the other comes, or would have come; often enough to go on as soon as he has.
      wait_ms := least(4000, greatest(250, ceil(extract(epoch from v_back - clock_timestamp()) * 250)));
      reason := 'rate_limited';
      update connector_askers set held_back = true where key = p_key and owner_id = p_owner;
      return;
    end if;
    update connector_askers set held_back = false where key = p_key and owner_id = p_owner;
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
    if v_turns then
      update connector_buckets b set turn = greatest(b.turn, v_mine + granted - 1) where b.key = p_key;
      update connector_askers set turn = v_mine + granted where key = p_key and owner_id = p_owner;
    end if;
  end if;
end $$;

-- An owner who was held back waits, and comes again in p_ms.
create function af_await_turn(p_key text, p_owner uuid, p_ms bigint) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- In the order in which leases lock.
  perform from connector_buckets where key = p_key for no key update;
  update connector_askers set awaited = 1 + case when back_until > clock_timestamp() then awaited else 0 end,
      -- A timer may be late.
      back_until = greatest(back_until, clock_timestamp() + make_interval(secs => (p_ms + 2000) / 1000.0))
    where key = p_key and owner_id = p_owner and held_back;
end $$;
grant execute on function af_await_turn(text, uuid, bigint) to af_login;

-- As before. Owners who share the bucket take turns for as long again as the source asked for, for a minute at least. A request that
-- was refused was no turn; of several that were refused together the first.
create or replace function af_block_bucket(p_key text, p_owner uuid, p_common boolean, p_origin text, p_ms bigint, p_reason text)
returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_counted boolean;
begin
  insert into connector_buckets as b (key, owner_id, origin, blocked_until, blocked_reason)
    values (p_key, case when not p_common then p_owner end, p_origin,
      clock_timestamp() + make_interval(secs => p_ms / 1000.0), p_reason)
    on conflict (key) do update set blocked_until = excluded.blocked_until, blocked_reason = excluded.blocked_reason,
        updated_at = clock_timestamp()
      where b.blocked_until is null or b.blocked_until < excluded.blocked_until;
  if p_common then
    select coalesce(turns_until > clock_timestamp(), false) into v_counted from connector_buckets where key = p_key for no key update;
    update connector_buckets set turns_until = greatest(turns_until,
        clock_timestamp() + make_interval(secs => (p_ms + greatest(p_ms, 60000)) / 1000.0))
      where key = p_key;
    if p_reason = 'rate_limited' then
      insert into connector_askers as a (key, owner_id, held_back) values (p_key, p_owner, true)
        on conflict (key, owner_id) do update set held_back = true,
          turn = a.turn - (v_counted and not a.held_back)::integer;
    end if;
  end if;
end $$;

-- As before; who is held back for longer than an hour keeps his turn.
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
  delete from connector_askers a where a.asked_at < clock_timestamp() - interval '1 hour'
    and coalesce(a.back_until, '-infinity') < clock_timestamp();
  delete from connector_slots where expires_at < clock_timestamp() - interval '1 hour';
  return v_gone >= p_limit;
end $$;

-- ── turns of workers ────────────────────────────────────────────────────────────────────────────
-- The attempt row of an effect, committed before the request leaves.
-- Returns {sent, control, reason}; reason: `outcome_unknown` (an unsafe request left earlier, under any try, and has no
-- result), `recorded` (this try has its result: the caller is a late attempt), `superseded` (it is no longer p_worker who carries this
-- try out: another began it since, or it was given back), `closed` (cancelled or closed), `no_attempt` (nobody began this try).
create function af_effect_sent(p_run uuid, p_effect_key text, p_try_no integer, p_effect text, p_target text, p_events json,
  p_worker text) returns json language plpgsql
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
  elsif p_worker is not null and exists (
    select 1 from step_attempts a
      where a.run_id = p_run and a.effect_key = p_effect_key and a.try_no = p_try_no and a.worker is distinct from p_worker
  ) then
    v_reason := 'superseded';
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

-- For builds that do not say which worker it is.
create or replace function af_effect_sent(p_run uuid, p_effect_key text, p_try_no integer, p_effect text, p_target text, p_events json)
returns json language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select af_effect_sent(p_run, p_effect_key, p_try_no, p_effect, p_target, p_events, null)
$$;
grant execute on function af_effect_sent(uuid, text, integer, text, text, json, text) to af_login;

-- ── places of secrets ───────────────────────────────────────────────────────────────────────────
-- The secret of a database has a place, too: where it leads. What a connector or a binding names now goes on working, but for texts that
-- somebody else wrote.
insert into connector_confirmations (id, owner_id, connector, secret, origins)
  select gen_random_uuid(), u.owner_id, u.slug, u.secret, '{postgresql}' from (
      select c.owner_id, c.slug, c.id, v.definition #>> '{connection,auth,secret,secret}' as secret
        from connectors c join connector_versions v on v.id = c.latest_version_id
        where c.type = 'database' and c.deleted_at is null
      union
      select c.owner_id, c.slug, c.id, b.value ->> 'secret'
        from connectors c join profile_connectors p on p.connector_id = c.id cross join lateral json_each(p.credentials) b
        where c.type = 'database' and c.deleted_at is null and json_typeof(b.value) = 'object') u
    where exists (select from secrets s where s.owner_id = u.owner_id and s.name = u.secret)
      and not exists (select from connector_versions f
      where f.connector_id = u.id and f.version_no = 1 and (f.definition ->> 'imported')::boolean)
  on conflict do nothing;

reset role;
