alter table agent_profiles enable row level security;
alter table agent_profiles force row level security;

create policy agent_profiles_af_app on agent_profiles to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy agent_profiles_af_app_team on agent_profiles for select to af_app
  using (id in (select app_team_profiles()));
create policy agent_profiles_af_migrate on agent_profiles to af_migrate
  using (true)
  with check (true);
