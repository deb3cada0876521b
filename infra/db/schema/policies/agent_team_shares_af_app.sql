-- Lets people share their own profiles, and only with teams in which they are more than a viewer.
create policy agent_team_shares_af_app on agent_team_shares to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_owns_profile(profile_id) and app_shares_with(team_id));
