-- Tests whether a connection is the caller's. Null is allowed: it refers to nothing.
create function app_owns_connection(p_id uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_id is null or exists (select from connections where id = p_id and owner_id = app_uid())
$$;
