alter table users enable row level security;
alter table users force row level security;

create policy users_af_app on users for select to af_app
  using (id = (select app_uid()));
create policy users_af_migrate on users to af_migrate
  using (true)
  with check (true);
create policy users_af_system on users to af_system
  using (true)
  with check (true);
