-- Tests whether the caller may refer to a version of a playbook. Null is allowed, and so are deleted rows: runs that pin them continue.
create function app_sees_playbook_version(p_id uuid, p_playbook uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_id is null or exists (
    select from playbook_versions where id = p_id and playbook_id = p_playbook and owner_id = app_uid())
$$;
