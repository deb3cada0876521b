-- Lets the platform make and revoke keys of any account: at setup and when an account is deactivated.
create policy api_keys_af_system on api_keys to af_system
  using (true)
  with check (true);
