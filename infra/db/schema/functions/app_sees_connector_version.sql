-- Tests whether the caller may refer to a version of a connector. Null is allowed, and so are deleted rows: runs that pin them continue.
create function app_sees_connector_version(p_id uuid, p_connector uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_id is null or exists (
    select from connector_versions where id = p_id and connector_id = p_connector and owner_id = app_uid())
$$;
