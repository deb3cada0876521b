-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy runs_af_migrate on runs to af_migrate
  using (true)
  with check (true);
