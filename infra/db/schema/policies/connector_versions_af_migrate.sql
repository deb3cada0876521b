-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy connector_versions_af_migrate on connector_versions to af_migrate
  using (true)
  with check (true);
