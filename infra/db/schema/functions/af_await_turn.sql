-- Notes that an owner who was held back comes again in p_ms, so that a turn is kept for them.
create function af_await_turn(p_key text, p_owner uuid, p_ms bigint) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- Locks in the order of af_lease_requests, so that the two cannot block each other.
  perform from connector_buckets where key = p_key for no key update;
  update connector_askers set awaited = 1 + case when back_until > clock_timestamp() then awaited else 0 end,
      -- Adds time for a timer that fires late.
      back_until = greatest(back_until, clock_timestamp() + make_interval(secs => (p_ms + 2000) / 1000.0))
    where key = p_key and owner_id = p_owner and held_back;
end $$;
