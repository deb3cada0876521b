-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy team_invitations_af_migrate on team_invitations to af_migrate
  using (true)
  with check (true);
