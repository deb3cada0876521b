alter table connector_bucket_use enable row level security;
alter table connector_bucket_use force row level security;

create policy connector_bucket_use_af_migrate on connector_bucket_use to af_migrate
  using (true)
  with check (true);
