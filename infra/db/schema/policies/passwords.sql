alter table passwords enable row level security;
alter table passwords force row level security;

create policy passwords_af_app on passwords to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
create policy passwords_af_migrate on passwords to af_migrate
  using (true)
  with check (true);
create policy passwords_af_system on passwords to af_system
  using (true)
  with check (true);
