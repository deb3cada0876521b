alter table connector_confirmations enable row level security;
alter table connector_confirmations force row level security;

create policy connector_confirmations_af_app on connector_confirmations to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
create policy connector_confirmations_af_migrate on connector_confirmations to af_migrate
  using (true)
  with check (true);
