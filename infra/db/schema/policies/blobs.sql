alter table blobs enable row level security;
alter table blobs force row level security;

create policy blobs_af_app on blobs to af_app
  using (scope = (select app_uid()))
  with check (scope = (select app_uid()));
create policy blobs_af_migrate on blobs to af_migrate
  using (true)
  with check (true);
create policy blobs_af_system on blobs to af_system
  using (scope = '00000000-0000-0000-0000-000000000000'::uuid)
  with check (scope = '00000000-0000-0000-0000-000000000000'::uuid);
