alter table connector_buckets enable row level security;
alter table connector_buckets force row level security;

create policy connector_buckets_af_migrate on connector_buckets to af_migrate
  using (true)
  with check (true);
