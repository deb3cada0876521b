-- The roles of the database, and who asks.
--
--   af_migrate  owns everything; logs in nowhere, only migrations become it
--   af_login    what the processes log in as: no rights of its own but the listed functions, becomes af_app or af_system
--               for the length of a transaction
--   af_app      a person's or a service account's statements; row-level security shows it the rows of app_uid()
--   af_system   the platform's own work: sweeper, reconciler, deliverer, event reader, key rotation
--
-- Roles belong to the server, not to the database: they may be there already, and taking this migration back leaves them.
do $$
declare
  v_role text;
begin
  foreach v_role in array array['af_migrate', 'af_login', 'af_app', 'af_system'] loop
    begin
      if not exists (select from pg_roles where rolname = v_role) then
        execute format('create role %I nologin noinherit', v_role);
      end if;
    exception when duplicate_object or unique_violation then
      null; -- another database of this server makes them at the same moment
    end;
  end loop;
  if not pg_has_role('af_login', 'af_app', 'member') then
    grant af_app to af_login;
  end if;
  if not pg_has_role('af_login', 'af_system', 'member') then
    grant af_system to af_login;
  end if;
exception when unique_violation then
  null;
end $$;

-- Who asks: set for the length of a transaction. Nobody = null = no rows.
create function app_uid() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('app.user_id', true), '')::uuid
$$;

grant usage on schema public to af_login, af_app, af_system;
grant usage, create on schema public to af_migrate;
revoke create on schema public from public;

-- Everything that is here belongs to af_migrate, and so does what later migrations make: they begin with set local role.
do $$
declare
  v record;
begin
  for v in select c.oid::regclass as name, c.relkind from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p') and c.relname <> 'migrations'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  loop
    execute format('alter table %s owner to af_migrate', v.name);
  end loop;
  for v in select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('alter function %s owner to af_migrate', v.name);
    execute format('revoke execute on function %s from public', v.name);
  end loop;
end $$;
grant execute on function app_uid() to public;
