-- Null refers to nothing. Deleted rows count: what pins them goes on. Volatile, each looks with a snapshot of its own: a row that
-- an update had to wait for may refer to one that is younger than the statement.
create function app_sees_run(p_id uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_id is null or exists (select from runs where id = p_id and owner_id = app_uid())
$$;
