alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;

create policy idempotency_keys_af_migrate on idempotency_keys to af_migrate
  using (true)
  with check (true);
create policy idempotency_keys_app on idempotency_keys to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
