alter table entity_resolutions enable row level security;
alter table entity_resolutions force row level security;

create policy entity_resolutions_af_app on entity_resolutions to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy entity_resolutions_af_migrate on entity_resolutions to af_migrate
  using (true)
  with check (true);
