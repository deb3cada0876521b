-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy team_members_af_migrate on team_members to af_migrate
  using (true)
  with check (true);
