set local role af_migrate;
drop table idempotency_keys;
do $$
declare
  v_table text;
begin
  foreach v_table in array array['playbooks', 'connectors', 'folders', 'documents', 'secrets'] loop
    execute format('drop trigger %I on %I', v_table || '_next_version', v_table);
    execute format('alter table %I drop column row_version', v_table);
  end loop;
end $$;
drop function af_next_version();
reset role;
