-- Limits that owners share: nobody's own definition says how much of an origin is left for the others, and calls in flight are shared
-- by owner. Kept answers that all share have a share for each who writes them.
set local role af_migrate;

-- ── limits ──────────────────────────────────────────────────────────────────────────────────────
-- Slots end within seconds: workers take theirs again. A row that holds nothing says that its owner waits.
delete from connector_slots;
alter table connector_slots add column owner_id uuid not null references users (id), add column wanted integer not null;
alter table connector_slots drop constraint connector_slots_pkey;
alter table connector_slots add primary key (key, worker, owner_id);

drop function af_lease_requests(text, uuid, boolean, text, text[], integer[], integer);

-- Leases up to p_want requests within all limits at once. p_periods, p_caps: what the caller's definition allows him, and nobody else;
-- p_shipped_…: what the catalogue says of the origin, for common buckets. Nobody's own definition says how much all together may: what
-- one writes down would silence the others. Where the catalogue says nothing, the source itself does: its refusal holds for all. What is leased counts from now until it can no longer be in any window, used or
-- not; so nobody has to give anything back when a worker dies. In a common bucket all together stay below the common limit, and an
-- owner gets more than his share of it only while the others who ask leave it.
-- granted 0: ask again in wait_ms, because of `reason` (`rate_limited`, `quota_used_up`, or what the source said).
-- limited: some limit counts. slots: calls in flight of all owners together; null where nobody limits them.
create function af_lease_requests(p_key text, p_owner uuid, p_common boolean, p_origin text, p_periods text[], p_caps integer[],
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

drop function af_hold_slots(text, uuid, boolean, text, text, integer, integer, integer);

-- How many calls in flight a worker may have for an owner: as many as it asks for, or as many as are left; 0 gives all back. p_cap: what
-- the owner's definition allows; p_common: of all owners together, in a common bucket. There an owner has his share as long as others
-- have or want some, and less while somebody waits who has none. What is under way (p_used) is kept until it ends, even when it
-- is more than what may be used from now on.
create function af_hold_slots(p_key text, p_owner uuid, p_common boolean, p_origin text, p_worker text, p_want integer,
  p_used integer, p_cap integer, p_common_cap integer, p_seconds integer) returns integer language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_others bigint;
  v_elsewhere bigint;
  v_mine bigint;
  v_active integer;
  v_waits boolean;
  v_share bigint;
  v_may integer;
begin
  insert into connector_buckets as b (key, owner_id, origin) values (p_key, case when not p_common then p_owner end, p_origin)
    on conflict (key) do update set updated_at = clock_timestamp();
  delete from connector_slots where key = p_key and expires_at <= clock_timestamp();
  select coalesce(sum(held) filter (where owner_id <> p_owner or worker <> p_worker), 0),
      coalesce(sum(held) filter (where owner_id = p_owner and worker <> p_worker), 0),
      coalesce(sum(held) filter (where owner_id = p_owner), 0),
      1 + count(distinct owner_id) filter (where owner_id <> p_owner)
    into v_others, v_elsewhere, v_mine, v_active from connector_slots where key = p_key;
  if p_common_cap is not null and v_active > 1 then
    v_waits := exists (select from connector_slots where key = p_key and owner_id <> p_owner
      group by owner_id having sum(held) = 0);
    v_share := case when v_waits and v_mine > 0 then floor(p_common_cap::numeric / v_active)
      else greatest(1, ceil(p_common_cap::numeric / v_active)) end;
  end if;
  v_may := greatest(0, least(p_want, p_common_cap - v_others, v_share - v_elsewhere,
    p_cap - case when p_common then v_elsewhere else v_others end));
  if p_want = 0 and p_used = 0 then
    delete from connector_slots where key = p_key and worker = p_worker and owner_id = p_owner;
  else
    insert into connector_slots as s (key, worker, owner_id, held, wanted, expires_at)
      values (p_key, p_worker, p_owner, greatest(v_may, p_used), p_want,
        -- Whoever waits asks again within a second, or waits no more.
        clock_timestamp() + make_interval(secs => case when greatest(v_may, p_used) = 0 then least(p_seconds, 5) else p_seconds end))
      on conflict (key, worker, owner_id) do update set held = excluded.held, wanted = excluded.wanted,
        expires_at = excluded.expires_at;
  end if;
  return v_may;
end $$;

grant execute on function af_lease_requests(text, uuid, boolean, text, text[], integer[], text[], integer[], integer),
  af_hold_slots(text, uuid, boolean, text, text, integer, integer, integer, integer, integer) to af_login;

-- ── kept answers ────────────────────────────────────────────────────────────────────────────────
-- Nobody knows who wrote the shared ones: they are fetched again.
delete from connector_cache where owner_id is null;
alter table connector_cache add column writer_id uuid references users (id),
  add column used_at timestamptz not null default clock_timestamp();
update connector_cache set writer_id = owner_id, used_at = stored_at;
alter table connector_cache alter column writer_id set not null;

-- As before, and notes that the answer was of use; not more than once a minute.
create or replace function af_cached(p_owner uuid, p_version uuid, p_digest text, p_keyless boolean) returns table (status integer,
  headers json, url text, body text, age_ms bigint, fresh boolean, usable boolean) language plpgsql volatile
  security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  v_found record;
begin
  select c.id, c.used_at into v_found from af_cache_place(p_owner, p_version, p_digest, p_keyless) p
    join connector_cache c on c.key = p.key and c.owner_id is not distinct from p.owner_id
    where p.key is not null and c.drop_at > clock_timestamp();
  if v_found.used_at < clock_timestamp() - interval '1 minute' then
    update connector_cache set used_at = clock_timestamp() where id = v_found.id;
  end if;
  return query
    select c.status, c.headers, c.url, encode(c.body, 'base64'),
        floor(extract(epoch from clock_timestamp() - c.stored_at) * 1000)::bigint, c.fresh_until > clock_timestamp(),
        c.stale_until > clock_timestamp()
      from connector_cache c where c.id = v_found.id;
end $$;

-- Keeps an answer. Beyond p_owner_bytes (an owner's own, or those that all share) go those that were of no use for the longest time, of
-- each writer who has more than his share: who writes much pushes out his own alone.
create or replace function af_cache_answer(p_owner uuid, p_version uuid, p_digest text, p_keyless boolean, p_connector text,
  p_credential text, p_status integer, p_headers json, p_url text, p_body text, p_ttl integer, p_stale integer,
  p_drop integer, p_owner_bytes bigint, p_endpoint text default '', p_credential_version text default '') returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_owner uuid;
  v_key text;
  v_body constant bytea := decode(p_body, 'base64');
  v_bytes bigint;
  v_writers integer;
begin
  select p.owner_id, p.key into v_owner, v_key from af_cache_place(p_owner, p_version, p_digest, p_keyless) p;
  if v_key is null then
    return;
  end if;
  insert into connector_cache as c (owner_id, writer_id, key, connector, endpoint, credential, credential_version, status, headers,
      url, body, size, fresh_until, stale_until, drop_at)
    values (v_owner, p_owner, v_key, p_connector, p_endpoint, p_credential, p_credential_version, p_status, p_headers, p_url,
      v_body, length(v_body), clock_timestamp() + make_interval(secs => p_ttl), clock_timestamp() + make_interval(secs => p_ttl + p_stale),
      clock_timestamp() + make_interval(secs => p_ttl + p_drop))
    on conflict (coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), key) do update set status = excluded.status,
      headers = excluded.headers, url = excluded.url, body = excluded.body, size = excluded.size, writer_id = excluded.writer_id,
      credential = excluded.credential, credential_version = excluded.credential_version, connector = excluded.connector,
      endpoint = excluded.endpoint, stored_at = clock_timestamp(),
      used_at = clock_timestamp(), fresh_until = excluded.fresh_until, stale_until = excluded.stale_until, drop_at = excluded.drop_at;
  select sum(size), count(distinct writer_id) into v_bytes, v_writers from connector_cache
    where owner_id is not distinct from v_owner;
  if v_bytes > p_owner_bytes then
    delete from connector_cache c using (
        select id, sum(size) over (partition by writer_id order by used_at desc, id desc) as held from connector_cache
          where owner_id is not distinct from v_owner) o
      where c.id = o.id and o.held > p_owner_bytes / v_writers;
  end if;
end $$;

reset role;
