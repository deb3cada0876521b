-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy audit_log_af_migrate on audit_log to af_migrate
  using (true)
  with check (true);
