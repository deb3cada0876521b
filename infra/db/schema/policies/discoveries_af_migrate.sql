-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy discoveries_af_migrate on discoveries to af_migrate
  using (true)
  with check (true);
