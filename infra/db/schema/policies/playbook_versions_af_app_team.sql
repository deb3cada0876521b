-- Shows members the versions of playbooks that shared profiles use.
create policy playbook_versions_af_app_team on playbook_versions for select to af_app
  using (owner_id <> (select app_uid()) and (playbook_id in (select app_team_playbooks())));
