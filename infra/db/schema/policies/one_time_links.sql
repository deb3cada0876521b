alter table one_time_links enable row level security;
alter table one_time_links force row level security;

create policy one_time_links_af_migrate on one_time_links to af_migrate
  using (true)
  with check (true);
create policy one_time_links_af_system on one_time_links to af_system
  using (true)
  with check (true);
