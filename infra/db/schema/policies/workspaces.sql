alter table workspaces enable row level security;
alter table workspaces force row level security;

create policy workspaces_af_app on workspaces to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy workspaces_af_migrate on workspaces to af_migrate
  using (true)
  with check (true);
