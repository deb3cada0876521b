alter table connector_versions enable row level security;
alter table connector_versions force row level security;

create policy connector_versions_af_app on connector_versions to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_connector(connector_id));
create policy connector_versions_af_app_team on connector_versions for select to af_app
  using (connector_id in (select app_team_connectors()));
create policy connector_versions_af_migrate on connector_versions to af_migrate
  using (true)
  with check (true);
