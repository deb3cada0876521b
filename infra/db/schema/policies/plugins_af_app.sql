-- Shows people their own plugins and those that come with the installation.
create policy plugins_af_app on plugins for select to af_app
  using (owner_id is null or owner_id = (select app_uid()));
