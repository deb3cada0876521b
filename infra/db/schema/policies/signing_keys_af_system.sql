-- Restricts signing keys to the platform: who had one could sign in as anybody.
create policy signing_keys_af_system on signing_keys to af_system
  using (true)
  with check (true);
