alter table run_events enable row level security;
alter table run_events force row level security;

create policy run_events_af_app on run_events to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy run_events_af_migrate on run_events to af_migrate
  using (true)
  with check (true);
