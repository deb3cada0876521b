-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy model_calls_af_migrate on model_calls to af_migrate
  using (true)
  with check (true);
