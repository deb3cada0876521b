-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy approval_approvers_af_migrate on approval_approvers to af_migrate
  using (true)
  with check (true);
