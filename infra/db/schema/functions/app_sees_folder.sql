-- Tests whether the caller may refer to a folder. Null is allowed, and so are deleted rows: documents keep them.
create function app_sees_folder(p_id uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_id is null or exists (select from folders where id = p_id and owner_id = app_uid())
$$;
