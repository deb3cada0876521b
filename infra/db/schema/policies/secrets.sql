alter table secrets enable row level security;
alter table secrets force row level security;

create policy secrets_app on secrets to af_app
  using (owner_id = app_uid())
  with check (owner_id = app_uid());
create policy secrets_migrate on secrets for select to af_migrate
  using (true);
create policy secrets_system on secrets to af_system
  using (true)
  with check (true);
