-- Restricts people to the row of their own password, to show when it changed (the grant leaves out the hash).
create policy passwords_af_app on passwords to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
