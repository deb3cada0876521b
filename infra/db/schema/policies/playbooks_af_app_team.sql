-- Shows members the playbooks that shared profiles use.
create policy playbooks_af_app_team on playbooks for select to af_app
  using (owner_id <> (select app_uid()) and (id in (select app_team_playbooks())));
