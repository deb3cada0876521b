-- Restricts people to notifications for them.
create policy notifications_af_app on notifications to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
