alter table webhooks enable row level security;
alter table webhooks force row level security;

create policy webhooks_af_app on webhooks to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy webhooks_af_migrate on webhooks to af_migrate
  using (true)
  with check (true);
