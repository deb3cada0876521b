-- What stands before the new keys of a run's retries that say nothing but to go on: two of them share it. A UUID of version 3, as all that
-- stands before keys under which another body may leave, which then end in its digest.
create function af_shared_keys(p_run uuid) returns uuid language sql immutable parallel safe
  set search_path = pg_catalog, public, pg_temp as $$
  select overlay(overlay(md5('retries of ' || p_run) placing '3' from 13) placing '8' from 17)::uuid
$$;
