-- Lets the loader write the plugins that come with the installation, and no others.
create policy plugins_af_system on plugins to af_system
  using (owner_id is null)
  with check (owner_id is null);
