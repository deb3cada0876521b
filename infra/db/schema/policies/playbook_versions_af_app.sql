-- Restricts people to versions of their own playbooks.
create policy playbook_versions_af_app on playbook_versions to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_playbook(playbook_id));
