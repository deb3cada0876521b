do $$
declare
  v record;
begin
  for v in select c.oid::regclass as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p') and c.relname <> 'migrations'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  loop
    execute format('alter table %s owner to current_user', v.name);
  end loop;
  for v in select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('alter function %s owner to current_user', v.name);
    execute format('grant execute on function %s to public', v.name);
  end loop;
end $$;
revoke usage on schema public from af_login, af_app, af_system;
revoke usage, create on schema public from af_migrate;
drop function app_uid();
