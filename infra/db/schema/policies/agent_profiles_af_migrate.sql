-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy agent_profiles_af_migrate on agent_profiles to af_migrate
  using (true)
  with check (true);
