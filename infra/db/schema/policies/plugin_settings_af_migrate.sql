-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy plugin_settings_af_migrate on plugin_settings to af_migrate
  using (true)
  with check (true);
