-- Restricts people to answers to their own requests: two accounts may use the same key.
create policy idempotency_keys_app on idempotency_keys to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
