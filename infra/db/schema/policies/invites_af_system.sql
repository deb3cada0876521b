-- Lets the platform read and revoke invitations of any account.
create policy invites_af_system on invites to af_system
  using (true)
  with check (true);
