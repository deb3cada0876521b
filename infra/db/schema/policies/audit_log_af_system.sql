-- Lets the platform write entries for what it does in the name of an account.
create policy audit_log_af_system on audit_log to af_system
  using (true)
  with check (true);
