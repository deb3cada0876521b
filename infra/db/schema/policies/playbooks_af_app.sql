-- Restricts people to their own playbooks; the latest version must be one of the same playbook.
create policy playbooks_af_app on playbooks to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_playbook_version(latest_version_id, id));
