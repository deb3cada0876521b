-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy login_attempts_af_migrate on login_attempts to af_migrate
  using (true)
  with check (true);
