-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy signing_keys_af_migrate on signing_keys to af_migrate
  using (true)
  with check (true);
