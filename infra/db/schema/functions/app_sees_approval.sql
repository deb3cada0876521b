-- Tests whether the caller may see a request (af_sees_approval), for policies.
create function app_sees_approval(p_id uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select af_sees_approval(p_id, app_uid())
$$;
