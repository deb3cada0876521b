-- What stands before the new keys of a run's retries that say nothing but to go on: two of them share it.
create function af_shared_keys(p_run uuid) returns uuid language sql immutable parallel safe
  set search_path = pg_catalog, public, pg_temp as $$
  select af_shared_key('retries of ' || p_run)
$$;
