-- Renews a kept answer that the source confirmed as unchanged. p_answer: place and times of an af_new_answer.
create function af_revive_answer(p_answer json) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new constant af_new_answer := json_populate_record(null::af_new_answer, p_answer);
begin
  update connector_cache c set stored_at = clock_timestamp(),
      fresh_until = clock_timestamp() + make_interval(secs => v_new.ttl),
      stale_until = clock_timestamp() + make_interval(secs => v_new.ttl + v_new.stale),
      drop_at = clock_timestamp() + make_interval(secs => v_new.ttl + v_new.drop)
    from af_cache_place(v_new.owner, v_new.version, v_new.digest, v_new.keyless) p
    where c.key = p.key and c.owner_id is not distinct from p.owner_id;
end $$;
