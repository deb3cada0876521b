alter table agent_team_shares enable row level security;
alter table agent_team_shares force row level security;

create policy agent_team_shares_af_app on agent_team_shares to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_owns_profile(profile_id) and app_shares_with(team_id));
create policy agent_team_shares_af_app_admin on agent_team_shares for delete to af_app
  using (app_team_role(team_id) in ('owner', 'admin'));
create policy agent_team_shares_af_app_team on agent_team_shares for select to af_app
  using (team_id in (select app_my_teams()));
create policy agent_team_shares_af_migrate on agent_team_shares to af_migrate
  using (true)
  with check (true);
