-- Puts every table under row-level security, for its owner too: without a policy nobody sees or changes a row.
do $$
declare
  v_table regclass;
begin
  for v_table in select oid from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relowner = 'af_migrate'::regrole
  loop
    execute format('alter table %s enable row level security', v_table);
    execute format('alter table %s force row level security', v_table);
  end loop;
end $$;
