alter table connector_breakers enable row level security;
alter table connector_breakers force row level security;

create policy connector_breakers_af_migrate on connector_breakers to af_migrate
  using (true)
  with check (true);
