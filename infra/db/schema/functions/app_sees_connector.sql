-- Null refers to nothing. Deleted rows count: what pins them goes on.
create function app_sees_connector(p_id uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_id is null or exists (select from connectors where id = p_id and owner_id = app_uid())
$$;
