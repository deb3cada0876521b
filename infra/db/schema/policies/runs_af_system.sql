-- Lets the reconciler and the sweeper find and settle the runs of all accounts.
create policy runs_af_system on runs to af_system
  using (true)
  with check (true);
