-- Restricts the platform to contents under the nil UUID: those of workflow histories, which no person owns.
create policy blobs_af_system on blobs to af_system
  using (scope = '00000000-0000-0000-0000-000000000000'::uuid)
  with check (scope = '00000000-0000-0000-0000-000000000000'::uuid);
