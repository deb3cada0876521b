-- Restricts the list of master keys to the platform: people have no use for it.
create policy master_keys_system on master_keys to af_system
  using (true)
  with check (true);
