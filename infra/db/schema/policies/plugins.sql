alter table plugins enable row level security;
alter table plugins force row level security;

create policy plugins_af_app on plugins for select to af_app
  using (owner_id is null or owner_id = (select app_uid()));
create policy plugins_af_migrate on plugins to af_migrate
  using (true)
  with check (true);
create policy plugins_af_system on plugins to af_system
  using (owner_id is null)
  with check (owner_id is null);
