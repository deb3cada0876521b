-- Restricts people to their own connectors; the latest version must be one of the same connector.
create policy connectors_af_app on connectors to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_connector_version(latest_version_id, id));
