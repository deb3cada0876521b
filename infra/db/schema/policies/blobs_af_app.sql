-- Restricts people to their own contents.
create policy blobs_af_app on blobs to af_app
  using (scope = (select app_uid()))
  with check (scope = (select app_uid()));
