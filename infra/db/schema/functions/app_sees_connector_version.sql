-- Null refers to nothing. Deleted rows count: what pins them goes on.
create function app_sees_connector_version(p_id uuid, p_connector uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_id is null or exists (
    select from connector_versions where id = p_id and connector_id = p_connector and owner_id = app_uid())
$$;
