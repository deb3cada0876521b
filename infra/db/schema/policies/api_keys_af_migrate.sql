-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy api_keys_af_migrate on api_keys to af_migrate
  using (true)
  with check (true);
