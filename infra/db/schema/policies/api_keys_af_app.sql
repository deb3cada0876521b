-- Restricts people to their own keys.
create policy api_keys_af_app on api_keys to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
