alter table connector_slots enable row level security;
alter table connector_slots force row level security;

create policy connector_slots_af_migrate on connector_slots to af_migrate
  using (true)
  with check (true);
