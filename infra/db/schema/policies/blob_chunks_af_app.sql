-- Restricts people to chunks of their own contents.
create policy blob_chunks_af_app on blob_chunks to af_app
  using (scope = (select app_uid()))
  with check (scope = (select app_uid()));
