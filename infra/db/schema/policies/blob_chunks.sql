alter table blob_chunks enable row level security;
alter table blob_chunks force row level security;

create policy blob_chunks_af_app on blob_chunks to af_app
  using (scope = (select app_uid()))
  with check (scope = (select app_uid()));
create policy blob_chunks_af_migrate on blob_chunks to af_migrate
  using (true)
  with check (true);
create policy blob_chunks_af_system on blob_chunks to af_system
  using (scope = '00000000-0000-0000-0000-000000000000'::uuid)
  with check (scope = '00000000-0000-0000-0000-000000000000'::uuid);
