-- Lists connectors of the profiles that teams share with the caller.
create function app_team_connectors() returns setof uuid language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.connector_id from profile_connectors c where c.is_enabled and c.profile_id in (select app_team_profiles())
$$;
