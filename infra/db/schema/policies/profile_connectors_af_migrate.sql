-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy profile_connectors_af_migrate on profile_connectors to af_migrate
  using (true)
  with check (true);
