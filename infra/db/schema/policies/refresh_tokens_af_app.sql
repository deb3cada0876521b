-- Restricts people to tokens of their own sessions (the grant leaves out the hash).
create policy refresh_tokens_af_app on refresh_tokens to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
