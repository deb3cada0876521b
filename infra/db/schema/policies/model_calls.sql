alter table model_calls enable row level security;
alter table model_calls force row level security;

create policy model_calls_af_app on model_calls to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy model_calls_af_migrate on model_calls to af_migrate
  using (true)
  with check (true);
