-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy monitors_af_migrate on monitors to af_migrate
  using (true)
  with check (true);
