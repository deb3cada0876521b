-- Lets the owners and admins of a team end a share, because they answer for what the team uses.
create policy agent_team_shares_af_app_admin on agent_team_shares for delete to af_app
  using (app_team_role(team_id) in ('owner', 'admin'));
