-- Guards a table of a workspace: its rows are visible to the workspace's owner of that moment, so the policy names the workspace and not a
-- person.
create function af_secure_workspace_table(p_table regclass, p_workspace uuid) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', p_table);
  execute format('alter table %s force row level security', p_table);
  execute format('create policy workspace_af_migrate on %s to af_migrate using (true) with check (true)', p_table);
  execute format('create policy workspace_af_app on %s to af_app using ((select app_sees_workspace(%L)))
    with check ((select app_sees_workspace(%L)))', p_table, p_workspace, p_workspace);
  execute format('grant select, insert, update, delete on %s to af_app', p_table);
end $$;
