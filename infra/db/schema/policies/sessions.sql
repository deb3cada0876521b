alter table sessions enable row level security;
alter table sessions force row level security;

create policy sessions_af_app on sessions to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
create policy sessions_af_migrate on sessions to af_migrate
  using (true)
  with check (true);
create policy sessions_af_system on sessions to af_system
  using (true)
  with check (true);
