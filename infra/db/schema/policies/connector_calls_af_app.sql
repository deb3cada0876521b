-- Restricts people to the calls of their own connectors.
create policy connector_calls_af_app on connector_calls to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
