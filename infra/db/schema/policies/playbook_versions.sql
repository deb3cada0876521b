alter table playbook_versions enable row level security;
alter table playbook_versions force row level security;

create policy playbook_versions_af_app on playbook_versions to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_playbook(playbook_id));
create policy playbook_versions_af_app_team on playbook_versions for select to af_app
  using (owner_id <> (select app_uid()) and (playbook_id in (select app_team_playbooks())));
create policy playbook_versions_af_migrate on playbook_versions to af_migrate
  using (true)
  with check (true);
