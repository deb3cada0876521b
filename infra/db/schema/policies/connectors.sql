alter table connectors enable row level security;
alter table connectors force row level security;

create policy connectors_af_app on connectors to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_connector_version(latest_version_id, id));
create policy connectors_af_app_team on connectors for select to af_app
  using (id in (select app_team_connectors()));
create policy connectors_af_migrate on connectors to af_migrate
  using (true)
  with check (true);
