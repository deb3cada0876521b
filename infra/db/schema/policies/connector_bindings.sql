alter table connector_bindings enable row level security;
alter table connector_bindings force row level security;

create policy connector_bindings_af_app on connector_bindings to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
create policy connector_bindings_af_migrate on connector_bindings to af_migrate
  using (true)
  with check (true);
