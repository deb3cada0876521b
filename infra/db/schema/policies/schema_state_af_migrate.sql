-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy schema_state_af_migrate on schema_state to af_migrate
  using (true)
  with check (true);
