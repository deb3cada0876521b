-- Lets the platform encrypt the secrets of all accounts under a new master key.
create policy secrets_system on secrets to af_system
  using (true)
  with check (true);
