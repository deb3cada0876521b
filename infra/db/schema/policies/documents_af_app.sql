-- Restricts people to their own documents, in folders and of runs that they see.
create policy documents_af_app on documents to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_folder(folder_id) and app_sees_run(run_id));
