alter table connector_askers enable row level security;
alter table connector_askers force row level security;

create policy connector_askers_af_migrate on connector_askers to af_migrate
  using (true)
  with check (true);
