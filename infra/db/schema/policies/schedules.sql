alter table schedules enable row level security;
alter table schedules force row level security;

create policy schedules_af_app on schedules to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_profile(profile_id) and app_sees_playbook(playbook_id));
create policy schedules_af_migrate on schedules to af_migrate
  using (true)
  with check (true);
