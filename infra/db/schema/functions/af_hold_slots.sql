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
