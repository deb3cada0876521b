-- Lets the platform end sessions of any account.
create policy sessions_af_system on sessions to af_system
  using (true)
  with check (true);
