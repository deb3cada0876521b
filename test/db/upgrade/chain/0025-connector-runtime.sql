-- What calls of connectors share between workers: limits, breakers, cache, records, the state of credentials.
-- 0025-connector-calls.sql has what owners see of it.
set local role af_migrate;

-- ── limits ──────────────────────────────────────────────────────────────────────────────────────
-- A bucket: (owner, origin, credential), or without a credential the origin alone, for everybody. `key` is its digest.
create table connector_buckets (
  key text primary key,
  -- Null: of everybody.
  owner_id uuid references users (id),
  origin text not null,
  -- The source asked for silence until then.
  blocked_until timestamptz,
  blocked_reason text,
  updated_at timestamptz not null default clock_timestamp()
);
create index connector_buckets_age on connector_buckets (updated_at);
create index connector_buckets_origin on connector_buckets (origin);

-- Requests that were leased, by slices of time: the window slides by whole slices.
create table connector_bucket_use (
  key text not null,
  period text not null check (period in ('second', 'minute', 'hour', 'day', 'month')),
  slice bigint not null,
  owner_id uuid not null references users (id),
  used integer not null,
  primary key (key, period, slice, owner_id)
);

-- Who asked a common bucket lately: those share it.
create table connector_askers (
  key text not null,
  owner_id uuid not null references users (id),
  asked_at timestamptz not null default clock_timestamp(),
  primary key (key, owner_id)
);

-- Calls in flight that a worker may have at once. They end with the worker.
create table connector_slots (
  key text not null,
  worker text not null,
  held integer not null,
  expires_at timestamptz not null,
  primary key (key, worker)
);

-- Milliseconds of a period, of a slice of it, and how long a leased request may be used.
create function af_period(p_period text, out length bigint, out slice bigint, out usable bigint)
language plpgsql immutable as $$
begin
  length := case p_period when 'second' then 1000 when 'minute' then 60000 when 'hour' then 3600000
    when 'day' then 86400000 when 'month' then 2592000000 end;
  slice := case p_period when 'second' then 100 when 'minute' then 2000 when 'hour' then 60000
    when 'day' then 900000 when 'month' then 28800000 end;
  usable := case p_period when 'second' then 150 when 'minute' then 2000 else 5000 end;
end $$;

-- Leases up to p_want requests within all limits at once (p_periods, p_caps). What is leased counts from now until it can
-- no longer be in any window, used or not; so nobody has to give anything back when a worker dies. In a common bucket
-- an owner gets more than his share only while the others who ask leave it.
-- granted 0: ask again in wait_ms, because of `reason` (`rate_limited`, `quota_used_up`, or what the source said).
create function af_lease_requests(p_key text, p_owner uuid, p_common boolean, p_origin text, p_periods text[], p_caps integer[],
  p_want integer, out granted integer, out usable_ms bigint, out wait_ms bigint, out reason text) language plpgsql as $$
declare
  v_now bigint;
  v_blocked timestamptz;
  v_why text;
  v_active integer := 1;
  v_period record;
  v_slice record;
  v_total bigint;
  v_own bigint;
  v_cap bigint;
  v_share bigint;
  v_room bigint;
  v_wait bigint;
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
  end if;
  if v_blocked > clock_timestamp() then
    granted := 0;
    wait_ms := ceil(extract(epoch from v_blocked - clock_timestamp()) * 1000);
    reason := v_why;
    return;
  end if;

  for v_period in
    select n.name, n.cap, p.* from unnest(p_periods, p_caps) as n (name, cap) cross join lateral af_period(n.name) p
  loop
    v_cap := v_period.cap;
    v_share := greatest(1, ceil(v_cap::numeric / v_active));
    usable_ms := least(usable_ms, v_period.usable);
    delete from connector_bucket_use u where u.key = p_key and u.period = v_period.name
      and (u.slice + 1) * v_period.slice + v_period.usable + v_period.length <= v_now;
    select coalesce(sum(u.used), 0), coalesce(sum(u.used) filter (where u.owner_id = p_owner), 0) into v_total, v_own
      from connector_bucket_use u where u.key = p_key and u.period = v_period.name;
    v_room := v_cap - v_total;
    if v_active > 1 then
      v_room := least(v_room, v_share - v_own);
    end if;
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
        exit when v_total < v_cap and (v_active = 1 or v_own < v_share);
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
        from unnest(p_periods) as n (name) cross join lateral af_period(n.name) p
      on conflict (key, period, slice, owner_id) do update set used = u.used + excluded.used;
    wait_ms := 0;
    reason := null;
  end if;
end $$;

-- A worker holds as many calls in flight as it asks for, or as many as the others leave; 0 gives all back.
create function af_hold_slots(p_key text, p_owner uuid, p_common boolean, p_origin text, p_worker text, p_want integer,
  p_cap integer, p_seconds integer) returns integer language plpgsql as $$
declare
  v_others bigint;
  v_held integer;
begin
  insert into connector_buckets as b (key, owner_id, origin) values (p_key, case when not p_common then p_owner end, p_origin)
    on conflict (key) do update set updated_at = clock_timestamp();
  delete from connector_slots where key = p_key and expires_at <= clock_timestamp();
  select coalesce(sum(held), 0) into v_others from connector_slots where key = p_key and worker <> p_worker;
  v_held := greatest(0, least(p_want, p_cap - v_others));
  if v_held = 0 then
    delete from connector_slots where key = p_key and worker = p_worker;
  else
    insert into connector_slots as s (key, worker, held, expires_at)
      values (p_key, p_worker, v_held, clock_timestamp() + make_interval(secs => p_seconds))
      on conflict (key, worker) do update set held = excluded.held, expires_at = excluded.expires_at;
  end if;
  return v_held;
end $$;

-- The source asked for silence. A shorter one changes nothing.
create function af_block_bucket(p_key text, p_owner uuid, p_common boolean, p_origin text, p_ms bigint, p_reason text)
returns void language plpgsql as $$
begin
  insert into connector_buckets as b (key, owner_id, origin, blocked_until, blocked_reason)
    values (p_key, case when not p_common then p_owner end, p_origin,
      clock_timestamp() + make_interval(secs => p_ms / 1000.0), p_reason)
    on conflict (key) do update set blocked_until = excluded.blocked_until, blocked_reason = excluded.blocked_reason,
        updated_at = clock_timestamp()
      where b.blocked_until is null or b.blocked_until < excluded.blocked_until;
end $$;

-- ── breakers ────────────────────────────────────────────────────────────────────────────────────
create table connector_breakers (
  -- Digest of owner, origin and credential.
  key text primary key,
  owner_id uuid not null references users (id),
  origin text not null,
  -- One after the other.
  failures integer not null default 0,
  -- How often it opened since the last success: each time for longer.
  opened integer not null default 0,
  open_until timestamptz,
  probe_until timestamptz,
  probe_worker text,
  updated_at timestamptz not null default clock_timestamp()
);
create index connector_breakers_owner on connector_breakers (owner_id, origin);
create index connector_breakers_age on connector_breakers (updated_at);

-- p_act: `look`; `failed` and `ok` report a call; `probe` asks to be the one that tries whether the source is back.
-- state: `closed`, `open`, `half_open` (nobody tries), `probing`; `mine`: the asker is the one who tries.
create function af_breaker(p_key text, p_owner uuid, p_origin text, p_worker text, p_act text, p_threshold integer,
  p_open_seconds integer, p_probe_seconds integer, out state text, out wait_ms bigint, out failures integer, out mine boolean)
language plpgsql as $$
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

-- ── cache ───────────────────────────────────────────────────────────────────────────────────────
-- Answers of sources. owner_id null: of everybody, only of keyless connectors that ship with the product.
create table connector_cache (
  id bigint generated always as identity primary key,
  owner_id uuid references users (id),
  key text not null,
  connector text not null,
  -- Name of the secret that went with the request; '' without one.
  credential text not null,
  status integer not null,
  headers json not null,
  url text not null,
  body bytea not null,
  size integer not null,
  stored_at timestamptz not null default clock_timestamp(),
  fresh_until timestamptz not null,
  -- Until then it may stand in for a source that fails.
  stale_until timestamptz not null,
  -- Until then a validator may still revive it.
  drop_at timestamptz not null
);
create unique index connector_cache_key on connector_cache (coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), key);
create index connector_cache_owner on connector_cache (owner_id, stored_at);
create index connector_cache_drop on connector_cache (drop_at);

-- Where an answer is kept. A shared one goes by the content of the definition, whoever's version it is.
create function af_cache_place(p_owner uuid, p_version uuid, p_digest text, p_keyless boolean, out owner_id uuid,
  out key text) language plpgsql stable as $$
begin
  select case when p_keyless and c.origin = 'catalog' then null else p_owner end,
      case when p_keyless and c.origin = 'catalog' then v.content_hash else v.id::text end || ':' || p_digest
    into owner_id, key
    from connector_versions v join connectors c on c.id = v.connector_id where v.id = p_version;
end $$;

create function af_cached(p_owner uuid, p_version uuid, p_digest text, p_keyless boolean) returns table (status integer,
  headers json, url text, body text, age_ms bigint, fresh boolean, usable boolean) language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select c.status, c.headers, c.url, encode(c.body, 'base64'),
        floor(extract(epoch from clock_timestamp() - c.stored_at) * 1000)::bigint, c.fresh_until > clock_timestamp(),
        c.stale_until > clock_timestamp()
      from af_cache_place(p_owner, p_version, p_digest, p_keyless) p
      join connector_cache c on c.key = p.key and c.owner_id is not distinct from p.owner_id
      where p.key is not null and c.drop_at > clock_timestamp();
end $$;

-- Keeps an answer; beyond p_owner_bytes the oldest of the same owner go.
create function af_cache_answer(p_owner uuid, p_version uuid, p_digest text, p_keyless boolean, p_connector text,
  p_credential text, p_status integer, p_headers json, p_url text, p_body text, p_ttl integer, p_stale integer,
  p_drop integer, p_owner_bytes bigint) returns void language plpgsql as $$
declare
  v_owner uuid;
  v_key text;
  v_body constant bytea := decode(p_body, 'base64');
begin
  select p.owner_id, p.key into v_owner, v_key from af_cache_place(p_owner, p_version, p_digest, p_keyless) p;
  if v_key is null then
    return;
  end if;
  insert into connector_cache as c (owner_id, key, connector, credential, status, headers, url, body, size, fresh_until,
      stale_until, drop_at)
    values (v_owner, v_key, p_connector, p_credential, p_status, p_headers, p_url, v_body, length(v_body),
      clock_timestamp() + make_interval(secs => p_ttl), clock_timestamp() + make_interval(secs => p_ttl + p_stale),
      clock_timestamp() + make_interval(secs => p_ttl + p_drop))
    on conflict (coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), key) do update set status = excluded.status,
      headers = excluded.headers, url = excluded.url, body = excluded.body, size = excluded.size,
      credential = excluded.credential, connector = excluded.connector, stored_at = clock_timestamp(),
      fresh_until = excluded.fresh_until, stale_until = excluded.stale_until, drop_at = excluded.drop_at;
  delete from connector_cache c using (
      select id, sum(size) over (order by stored_at desc, id desc) as held from connector_cache
        where owner_id is not distinct from v_owner) o
    where c.id = o.id and o.held > p_owner_bytes;
end $$;

-- The source says that what is kept still holds.
create function af_revive_answer(p_owner uuid, p_version uuid, p_digest text, p_keyless boolean, p_ttl integer,
  p_stale integer, p_drop integer) returns void language plpgsql as $$
begin
  update connector_cache c set stored_at = clock_timestamp(),
      fresh_until = clock_timestamp() + make_interval(secs => p_ttl),
      stale_until = clock_timestamp() + make_interval(secs => p_ttl + p_stale),
      drop_at = clock_timestamp() + make_interval(secs => p_ttl + p_drop)
    from af_cache_place(p_owner, p_version, p_digest, p_keyless) p
    where c.key = p.key and c.owner_id is not distinct from p.owner_id;
end $$;

-- A refused credential takes its answers with it: they may not be shown to whoever lost the right to them.
create function af_drop_answers(p_owner uuid, p_connector text, p_credential text) returns void language plpgsql as $$
begin
  delete from connector_cache where owner_id = p_owner and connector = p_connector and credential = p_credential;
end $$;

do $$
declare
  v_table text;
begin
  foreach v_table in array array['connector_buckets', 'connector_bucket_use', 'connector_askers', 'connector_slots',
    'connector_breakers', 'connector_cache'] loop
    execute format('alter table %I enable row level security', v_table);
    execute format('alter table %I force row level security', v_table);
    execute format('create policy %I on %I to af_migrate using (true) with check (true)', v_table || '_af_migrate', v_table);
  end loop;
end $$;
reset role;
