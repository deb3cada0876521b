-- Returns the version of the functions, triggers, policies and grants in the database: a process waits for its own.
create function af_schema_version() returns integer language sql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select version from schema_state
$$;
