-- Restricts people to the tokens that were fetched with their own secrets.
create policy access_tokens_app on access_tokens to af_app
  using (owner_id = app_uid())
  with check (owner_id = app_uid());
