-- Reserves calls in flight of a worker for an owner and returns how many it got; 0 gives all back. cap: limit of the owner's definition;
-- common_cap: limit of all owners together in a common bucket. An owner has their share of a common bucket as long as others have or want
-- some, and less while another owner waits with none. Calls under way (used) are kept until they end, even above the limit.
create function af_hold_slots(p_wanted json) returns integer language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_wanted constant af_slots_wanted := json_populate_record(null::af_slots_wanted, p_wanted);
  v_others bigint;
  v_elsewhere bigint;
  v_mine bigint;
  v_active integer;
  v_waits boolean;
  v_share bigint;
  v_may integer;
begin
  insert into connector_buckets as b (key, owner_id, origin) values (v_wanted.key, case when not v_wanted.common then
    v_wanted.owner end, v_wanted.origin)
    on conflict (key) do update set updated_at = clock_timestamp();
  delete from connector_slots where key = v_wanted.key and expires_at <= clock_timestamp();
  select coalesce(sum(held) filter (where owner_id <> v_wanted.owner or worker <> v_wanted.worker), 0),
      coalesce(sum(held) filter (where owner_id = v_wanted.owner and worker <> v_wanted.worker), 0),
      coalesce(sum(held) filter (where owner_id = v_wanted.owner), 0),
      1 + count(distinct owner_id) filter (where owner_id <> v_wanted.owner)
    into v_others, v_elsewhere, v_mine, v_active from connector_slots where key = v_wanted.key;
  if v_wanted.common_cap is not null and v_active > 1 then
    v_waits := exists (select from connector_slots where key = v_wanted.key and owner_id <> v_wanted.owner
      group by owner_id having sum(held) = 0);
    v_share := case when v_waits and v_mine > 0 then floor(v_wanted.common_cap::numeric / v_active)
      else greatest(1, ceil(v_wanted.common_cap::numeric / v_active)) end;
  end if;
  v_may := greatest(0, least(v_wanted.want, v_wanted.common_cap - v_others, v_share - v_elsewhere,
    v_wanted.cap - case when v_wanted.common then v_elsewhere else v_others end));
  if v_wanted.want = 0 and v_wanted.used = 0 then
    delete from connector_slots where key = v_wanted.key and worker = v_wanted.worker and owner_id = v_wanted.owner;
  else
    insert into connector_slots as s (key, worker, owner_id, held, wanted, expires_at)
      values (v_wanted.key, v_wanted.worker, v_wanted.owner, greatest(v_may, v_wanted.used), v_wanted.want,
        -- Expires sooner while the worker only waits: it asks again within a second or has given up.
        clock_timestamp() + make_interval(secs => case when greatest(v_may, v_wanted.used) = 0 then least(v_wanted.seconds, 5)
          else v_wanted.seconds end))
      on conflict (key, worker, owner_id) do update set held = excluded.held, wanted = excluded.wanted,
        expires_at = excluded.expires_at;
  end if;
  return v_may;
end $$;
