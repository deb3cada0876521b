-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy plugins_af_migrate on plugins to af_migrate
  using (true)
  with check (true);
