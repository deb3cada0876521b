-- Shows members their teams; owners and admins may rename them.
create policy teams_af_app on teams to af_app
  using (id in (select app_my_teams()))
  with check (app_team_role(id) in ('owner', 'admin'));
