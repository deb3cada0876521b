-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy connector_bucket_use_af_migrate on connector_bucket_use to af_migrate
  using (true)
  with check (true);
