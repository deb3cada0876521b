-- Derives the prefix of new effect keys for retries of a run that name no step: two of them share it, so that neither repeats what the
-- other did.
create function af_shared_keys(p_run uuid) returns uuid language sql immutable parallel safe
  set search_path = pg_catalog, public, pg_temp as $$
  select af_shared_key('retries of ' || p_run)
$$;
