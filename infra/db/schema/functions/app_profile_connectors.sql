-- Lists connectors that a profile may use, to whoever sees the profile.
create function app_profile_connectors(p_profile uuid) returns setof uuid language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.connector_id from profile_connectors c
    where c.profile_id = p_profile and c.is_enabled and app_sees_profile(p_profile)
$$;
