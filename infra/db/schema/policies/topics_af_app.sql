-- Restricts people to their own topics, for a team that they are in.
create policy topics_af_app on topics to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_in_team(team_id));
