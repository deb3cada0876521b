alter table connector_cache enable row level security;
alter table connector_cache force row level security;

create policy connector_cache_af_migrate on connector_cache to af_migrate
  using (true)
  with check (true);
