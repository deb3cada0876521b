-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy workspace_tables_af_migrate on workspace_tables to af_migrate
  using (true)
  with check (true);
