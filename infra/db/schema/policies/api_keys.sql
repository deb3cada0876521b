alter table api_keys enable row level security;
alter table api_keys force row level security;

create policy api_keys_af_app on api_keys to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
create policy api_keys_af_migrate on api_keys to af_migrate
  using (true)
  with check (true);
create policy api_keys_af_system on api_keys to af_system
  using (true)
  with check (true);
