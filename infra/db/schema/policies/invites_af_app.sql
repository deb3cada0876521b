-- Restricts people to invitations that they wrote.
create policy invites_af_app on invites to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
