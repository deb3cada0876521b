-- Restricts people to their own workspaces.
create policy workspaces_af_app on workspaces to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
