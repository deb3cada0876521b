-- The source asked for silence. A shorter one changes nothing.
create function af_block_bucket(p_key text, p_owner uuid, p_common boolean, p_origin text, p_ms bigint, p_reason text)
returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
    select coalesce(turns_until > clock_timestamp(), false) into v_counted from connector_buckets where key = p_key for no key
      update;
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
