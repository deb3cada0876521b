-- Restricts people to connectors of their own profiles: with a connector that they see and a connection that is
-- theirs.
create policy profile_connectors_af_app on profile_connectors to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_owns_profile(profile_id) and app_sees_connector(connector_id) and
    app_owns_connection(connection_id));
