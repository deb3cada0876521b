alter table team_members enable row level security;
alter table team_members force row level security;

create policy team_members_af_app on team_members for select to af_app
  using (team_id in (select app_my_teams()));
create policy team_members_af_migrate on team_members to af_migrate
  using (true)
  with check (true);
