alter table invites enable row level security;
alter table invites force row level security;

create policy invites_af_app on invites to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
create policy invites_af_migrate on invites to af_migrate
  using (true)
  with check (true);
create policy invites_af_system on invites to af_system
  using (true)
  with check (true);
