-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy idempotency_keys_af_migrate on idempotency_keys to af_migrate
  using (true)
  with check (true);
