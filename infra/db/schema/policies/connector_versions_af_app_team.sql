-- Shows members the versions of connectors that shared profiles use.
create policy connector_versions_af_app_team on connector_versions for select to af_app
  using (connector_id in (select app_team_connectors()));
