alter table documents enable row level security;
alter table documents force row level security;

create policy documents_af_app on documents to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_folder(folder_id) and app_sees_run(run_id));
create policy documents_af_migrate on documents to af_migrate
  using (true)
  with check (true);
