-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy blob_chunks_af_migrate on blob_chunks to af_migrate
  using (true)
  with check (true);
