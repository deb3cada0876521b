-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy refresh_tokens_af_migrate on refresh_tokens to af_migrate
  using (true)
  with check (true);
