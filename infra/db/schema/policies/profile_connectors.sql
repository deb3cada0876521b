alter table profile_connectors enable row level security;
alter table profile_connectors force row level security;

create policy profile_connectors_af_app on profile_connectors to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_owns_profile(profile_id) and app_sees_connector(connector_id) and
    app_owns_connection(connection_id));
create policy profile_connectors_af_migrate on profile_connectors to af_migrate
  using (true)
  with check (true);
