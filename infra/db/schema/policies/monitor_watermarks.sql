alter table monitor_watermarks enable row level security;
alter table monitor_watermarks force row level security;

create policy monitor_watermarks_af_app on monitor_watermarks to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_owns_monitor(monitor_id));
create policy monitor_watermarks_af_migrate on monitor_watermarks to af_migrate
  using (true)
  with check (true);
