-- Lets the platform keep the list of import folders; people change it through the API, which asks for a scope.
create policy import_dirs_af_system on import_dirs to af_system
  using (true)
  with check (true);
