-- Lists shares of live profiles with the caller's teams.
create function af_my_shares() returns setof agent_team_shares language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.* from agent_team_shares s join agent_profiles p on p.id = s.profile_id
    where s.is_active and p.deleted_at is null and s.team_id in (select app_my_teams())
$$;
