-- Blocks a bucket for as long as its source asked. A shorter time than the present one changes nothing.
create function af_block_bucket(p_quiet json) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_quiet constant af_quiet_time := json_populate_record(null::af_quiet_time, p_quiet);
  v_counted boolean;
begin
  insert into connector_buckets as b (key, owner_id, origin, blocked_until, blocked_reason)
    values (v_quiet.key, case when not v_quiet.common then v_quiet.owner end, v_quiet.origin,
      clock_timestamp() + make_interval(secs => v_quiet.ms / 1000.0), v_quiet.reason)
    on conflict (key) do update set blocked_until = excluded.blocked_until, blocked_reason = excluded.blocked_reason,
        updated_at = clock_timestamp()
      where b.blocked_until is null or b.blocked_until < excluded.blocked_until;
  if v_quiet.common then
    select coalesce(turns_until > clock_timestamp(), false) into v_counted from connector_buckets where key = v_quiet.key for no key
      update;
    update connector_buckets set turns_until = greatest(turns_until,
        clock_timestamp() + make_interval(secs => (v_quiet.ms + greatest(v_quiet.ms, 60000)) / 1000.0))
      where key = v_quiet.key;
    if v_quiet.reason = 'rate_limited' then
      insert into connector_askers as a (key, owner_id, held_back) values (v_quiet.key, v_quiet.owner, true)
        on conflict (key, owner_id) do update set held_back = true,
          turn = a.turn - (v_counted and not a.held_back)::integer;
    end if;
  end if;
end $$;
