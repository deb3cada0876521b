alter table notifications enable row level security;
alter table notifications force row level security;

create policy notifications_af_app on notifications to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy notifications_af_migrate on notifications to af_migrate
  using (true)
  with check (true);
