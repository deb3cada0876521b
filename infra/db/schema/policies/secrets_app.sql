-- Restricts people to their own secrets.
create policy secrets_app on secrets to af_app
  using (owner_id = app_uid())
  with check (owner_id = app_uid());
