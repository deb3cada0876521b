-- Restricts people to skills of their own profiles, with playbooks that they see.
create policy profile_skills_af_app on profile_skills to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_owns_profile(profile_id) and app_sees_playbook(playbook_id));
