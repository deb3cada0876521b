-- Restricts people to watermarks of their own monitors.
create policy monitor_watermarks_af_app on monitor_watermarks to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_owns_monitor(monitor_id));
