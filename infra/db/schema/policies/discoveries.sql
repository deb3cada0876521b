alter table discoveries enable row level security;
alter table discoveries force row level security;

create policy discoveries_af_app on discoveries to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_run(run_id) and app_sees_profile(profile_id));
create policy discoveries_af_migrate on discoveries to af_migrate
  using (true)
  with check (true);
