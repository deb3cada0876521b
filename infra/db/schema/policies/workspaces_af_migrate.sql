-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy workspaces_af_migrate on workspaces to af_migrate
  using (true)
  with check (true);
