alter table folders enable row level security;
alter table folders force row level security;

create policy folders_af_app on folders to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_folder(parent_id));
create policy folders_af_migrate on folders to af_migrate
  using (true)
  with check (true);
