alter table topics enable row level security;
alter table topics force row level security;

create policy topics_af_app on topics to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_in_team(team_id));
create policy topics_af_app_team on topics for select to af_app
  using (team_id in (select app_my_teams()));
create policy topics_af_migrate on topics to af_migrate
  using (true)
  with check (true);
