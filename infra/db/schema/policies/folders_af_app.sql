-- Restricts people to their own folders, below a folder that they see.
create policy folders_af_app on folders to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_folder(parent_id));
