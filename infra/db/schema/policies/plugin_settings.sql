alter table plugin_settings enable row level security;
alter table plugin_settings force row level security;

create policy plugin_settings_af_app on plugin_settings to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_plugin(plugin_id) and app_owns_connection(connection_id));
create policy plugin_settings_af_migrate on plugin_settings to af_migrate
  using (true)
  with check (true);
