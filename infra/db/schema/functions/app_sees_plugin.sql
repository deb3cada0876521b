-- Tests whether the caller may use a plugin: their own, or one without an owner, which is for everybody.
create function app_sees_plugin(p_id uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_id is null or exists (select from plugins where id = p_id and (owner_id is null or owner_id = app_uid()))
$$;
