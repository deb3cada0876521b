-- Restricts people to tables of their own workspaces.
create policy workspace_tables_af_app on workspace_tables to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_workspace(workspace_id));
