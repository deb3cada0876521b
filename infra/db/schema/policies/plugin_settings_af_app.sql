-- Restricts people to their own settings, of plugins that they see and connections that are theirs.
create policy plugin_settings_af_app on plugin_settings to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_plugin(plugin_id) and app_owns_connection(connection_id));
