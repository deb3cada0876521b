-- Restricts people to versions of their own connectors.
create policy connector_versions_af_app on connector_versions to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_connector(connector_id));
