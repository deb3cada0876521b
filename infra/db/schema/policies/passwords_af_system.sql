-- Lets the platform see which accounts have a password (the grant leaves out the hash).
create policy passwords_af_system on passwords to af_system
  using (true)
  with check (true);
