-- Restricts people to confirmations that they gave: nobody confirms an origin for the secrets of others.
create policy connector_confirmations_af_app on connector_confirmations to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
