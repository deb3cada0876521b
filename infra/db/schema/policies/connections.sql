alter table connections enable row level security;
alter table connections force row level security;

create policy connections_af_app on connections to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy connections_af_migrate on connections to af_migrate
  using (true)
  with check (true);
