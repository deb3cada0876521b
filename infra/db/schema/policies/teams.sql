alter table teams enable row level security;
alter table teams force row level security;

create policy teams_af_app on teams to af_app
  using (id in (select app_my_teams()))
  with check (app_team_role(id) in ('owner', 'admin'));
create policy teams_af_migrate on teams to af_migrate
  using (true)
  with check (true);
