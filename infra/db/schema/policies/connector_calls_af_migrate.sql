-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy connector_calls_af_migrate on connector_calls to af_migrate
  using (true)
  with check (true);
