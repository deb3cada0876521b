-- The source says that what is kept still holds.
create function af_revive_answer(p_owner uuid, p_version uuid, p_digest text, p_keyless boolean, p_ttl integer,
  p_stale integer, p_drop integer) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update connector_cache c set stored_at = clock_timestamp(),
      fresh_until = clock_timestamp() + make_interval(secs => p_ttl),
      stale_until = clock_timestamp() + make_interval(secs => p_ttl + p_stale),
      drop_at = clock_timestamp() + make_interval(secs => p_ttl + p_drop)
    from af_cache_place(p_owner, p_version, p_digest, p_keyless) p
    where c.key = p.key and c.owner_id is not distinct from p.owner_id;
end $$;
