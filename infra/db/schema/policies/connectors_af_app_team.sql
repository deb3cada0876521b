-- Shows members the connectors that shared profiles use.
create policy connectors_af_app_team on connectors for select to af_app
  using (id in (select app_team_connectors()));
