-- Restricts people to their own schedules, of profiles and playbooks that they see.
create policy schedules_af_app on schedules to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_profile(profile_id) and app_sees_playbook(playbook_id));
