alter table connector_calls enable row level security;
alter table connector_calls force row level security;

create policy connector_calls_af_app on connector_calls to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
create policy connector_calls_af_migrate on connector_calls to af_migrate
  using (true)
  with check (true);
