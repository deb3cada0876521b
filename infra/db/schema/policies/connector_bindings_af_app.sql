-- Restricts people to the state of their own connectors.
create policy connector_bindings_af_app on connector_bindings to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
