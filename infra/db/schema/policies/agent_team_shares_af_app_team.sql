-- Shows members what is shared with their teams.
create policy agent_team_shares_af_app_team on agent_team_shares for select to af_app
  using (team_id in (select app_my_teams()));
