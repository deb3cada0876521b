alter table workspace_tables enable row level security;
alter table workspace_tables force row level security;

create policy workspace_tables_af_app on workspace_tables to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_workspace(workspace_id));
create policy workspace_tables_af_migrate on workspace_tables to af_migrate
  using (true)
  with check (true);
