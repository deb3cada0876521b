set local role af_migrate;

create or replace function af_secret_changed() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from connector_cache where owner_id = old.owner_id and credential = old.name;
  delete from connector_bindings where owner_id = old.owner_id and credential = old.name;
  return null;
end $$;

drop function af_confirmations(uuid, uuid, text);
alter table connectors add column imported_at timestamptz;
-- A place was agreed for whatever secret.
delete from connector_confirmations o using connector_confirmations e
  where e.owner_id = o.owner_id and e.connector = o.connector and e.origins = o.origins and e.id < o.id;
drop index connector_confirmations_of;
revoke update (confirmed_at) on connector_confirmations from af_app;
alter table connector_confirmations drop column secret, drop column first_at;
create unique index connector_confirmations_of on connector_confirmations (owner_id, connector, origins);

create function af_confirmations(p_owner uuid, p_version uuid) returns table (connector text, imported boolean,
  first_definition json, confirmed json) language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select c.slug, c.imported_at is not null, f.definition,
        coalesce((select json_agg(o.origins order by o.confirmed_at, o.id) from connector_confirmations o
          where o.owner_id = p_owner and o.connector = c.slug), '[]')
      from connector_versions v join connectors c on c.id = v.connector_id
      join lateral (select w.definition from connector_versions w where w.connector_id = c.id order by w.version_no limit 1) f
        on true
      where v.id = p_version and v.owner_id = p_owner;
end $$;

drop function af_lease_requests(text, uuid, boolean, text, text[], integer[], text[], integer[], integer),
  af_hold_slots(text, uuid, boolean, text, text, integer, integer, integer, integer, integer);
delete from connector_slots;
alter table connector_slots drop constraint connector_slots_pkey;
alter table connector_slots drop column owner_id, drop column wanted;
alter table connector_slots add primary key (key, worker);

create function af_lease_requests(p_key text, p_owner uuid, p_common boolean, p_origin text, p_periods text[], p_caps integer[],
  p_want integer, out granted integer, out usable_ms bigint, out wait_ms bigint, out reason text) language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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

create function af_hold_slots(p_key text, p_owner uuid, p_common boolean, p_origin text, p_worker text, p_want integer,
  p_cap integer, p_seconds integer) returns integer language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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

grant execute on function af_confirmations(uuid, uuid), af_lease_requests(text, uuid, boolean, text, text[], integer[], integer),
  af_hold_slots(text, uuid, boolean, text, text, integer, integer, integer) to af_login;

create or replace function af_cached(p_owner uuid, p_version uuid, p_digest text, p_keyless boolean) returns table (status integer,
  headers json, url text, body text, age_ms bigint, fresh boolean, usable boolean) language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
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

create or replace function af_cache_answer(p_owner uuid, p_version uuid, p_digest text, p_keyless boolean, p_connector text,
  p_credential text, p_status integer, p_headers json, p_url text, p_body text, p_ttl integer, p_stale integer,
  p_drop integer, p_owner_bytes bigint, p_endpoint text default '', p_credential_version text default '') returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_owner uuid;
  v_key text;
  v_body constant bytea := decode(p_body, 'base64');
begin
  select p.owner_id, p.key into v_owner, v_key from af_cache_place(p_owner, p_version, p_digest, p_keyless) p;
  if v_key is null then
    return;
  end if;
  insert into connector_cache as c (owner_id, key, connector, endpoint, credential, credential_version, status, headers, url,
      body, size, fresh_until, stale_until, drop_at)
    values (v_owner, v_key, p_connector, p_endpoint, p_credential, p_credential_version, p_status, p_headers, p_url, v_body,
      length(v_body), clock_timestamp() + make_interval(secs => p_ttl),
      clock_timestamp() + make_interval(secs => p_ttl + p_stale),
      clock_timestamp() + make_interval(secs => p_ttl + p_drop))
    on conflict (coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), key) do update set status = excluded.status,
      headers = excluded.headers, url = excluded.url, body = excluded.body, size = excluded.size,
      credential = excluded.credential, credential_version = excluded.credential_version, connector = excluded.connector,
      endpoint = excluded.endpoint, stored_at = clock_timestamp(),
      fresh_until = excluded.fresh_until, stale_until = excluded.stale_until, drop_at = excluded.drop_at;
  delete from connector_cache c using (
      select id, sum(size) over (order by stored_at desc, id desc) as held from connector_cache
        where owner_id is not distinct from v_owner) o
    where c.id = o.id and o.held > p_owner_bytes;
end $$;

alter table connector_cache drop column writer_id, drop column used_at;

reset role;
