-- Tests whether the caller may refer to a run. Null is allowed. Volatile, so that each call takes a new snapshot: a row that an update had
-- to wait for may refer to a run that is younger than the statement.
create function app_sees_run(p_id uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_id is null or exists (select from runs where id = p_id and owner_id = app_uid())
$$;
