-- Restricts people to their own webhooks.
create policy webhooks_af_app on webhooks to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
