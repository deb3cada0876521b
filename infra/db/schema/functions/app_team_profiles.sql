-- Lists profiles that teams share with the caller.
create function app_team_profiles() returns setof uuid language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select profile_id from af_my_shares()
$$;
