alter table monitors enable row level security;
alter table monitors force row level security;

create policy monitors_af_app on monitors to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_profile(profile_id) and app_sees_playbook(playbook_id));
create policy monitors_af_migrate on monitors to af_migrate
  using (true)
  with check (true);
