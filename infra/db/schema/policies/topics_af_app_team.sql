-- Shows members the topics of their teams.
create policy topics_af_app_team on topics for select to af_app
  using (team_id in (select app_my_teams()));
