alter table playbooks enable row level security;
alter table playbooks force row level security;

create policy playbooks_af_app on playbooks to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_playbook_version(latest_version_id, id));
create policy playbooks_af_app_team on playbooks for select to af_app
  using (owner_id <> (select app_uid()) and (id in (select app_team_playbooks())));
create policy playbooks_af_migrate on playbooks to af_migrate
  using (true)
  with check (true);
