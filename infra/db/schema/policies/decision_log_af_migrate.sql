-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy decision_log_af_migrate on decision_log to af_migrate
  using (true)
  with check (true);
