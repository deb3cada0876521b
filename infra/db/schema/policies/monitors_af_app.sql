-- Restricts people to their own monitors, of profiles and playbooks that they see.
create policy monitors_af_app on monitors to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_profile(profile_id) and app_sees_playbook(playbook_id));
