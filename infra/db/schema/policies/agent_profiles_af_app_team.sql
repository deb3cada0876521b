-- Shows members the profiles that are shared with their teams, because they may start them.
create policy agent_profiles_af_app_team on agent_profiles for select to af_app
  using (id in (select app_team_profiles()));
