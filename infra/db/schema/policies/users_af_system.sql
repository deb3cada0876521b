-- Lets the platform manage all accounts.
create policy users_af_system on users to af_system
  using (true)
  with check (true);
