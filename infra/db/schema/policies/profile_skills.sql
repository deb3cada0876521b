alter table profile_skills enable row level security;
alter table profile_skills force row level security;

create policy profile_skills_af_app on profile_skills to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_owns_profile(profile_id) and app_sees_playbook(playbook_id));
create policy profile_skills_af_migrate on profile_skills to af_migrate
  using (true)
  with check (true);
