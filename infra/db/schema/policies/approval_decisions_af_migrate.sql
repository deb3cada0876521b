-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy approval_decisions_af_migrate on approval_decisions to af_migrate
  using (true)
  with check (true);
