-- Restricts the platform to chunks under the nil UUID: contents of workflow histories, which no person owns.
create policy blob_chunks_af_system on blob_chunks to af_system
  using (scope = '00000000-0000-0000-0000-000000000000'::uuid)
  with check (scope = '00000000-0000-0000-0000-000000000000'::uuid);
