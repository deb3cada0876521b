-- Tests whether the caller may refer to a connector. Null is allowed, and so are deleted rows: runs that pin them continue.
create function app_sees_connector(p_id uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_id is null or exists (select from connectors where id = p_id and owner_id = app_uid())
$$;
