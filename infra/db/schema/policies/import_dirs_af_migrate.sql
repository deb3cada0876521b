-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy import_dirs_af_migrate on import_dirs to af_migrate
  using (true)
  with check (true);
