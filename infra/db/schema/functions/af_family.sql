-- Lists the runs at the same place as this one, when it is a retry or part of one: runs that continue with the same keys and, for a
-- sub-playbook that nobody asked to restart, the runs that the caller's family had at that path.
create function af_family(p_run uuid) returns setof uuid language plpgsql stable rows 10
  set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run record;
  v_keys jsonb;
  v_path text;
begin
  select id, effect_root, parent_run_id, parent_step_path into v_run from runs where id = p_run;
  return query select r.id from runs r where (r.effect_root = v_run.effect_root or r.id = v_run.effect_root) and r.id <> p_run;
  if v_run.parent_run_id is null then
    return;
  end if;
  select effect_keys into v_keys from runs where id = v_run.parent_run_id;
  v_path := v_run.parent_step_path;
  while v_keys is not null and v_path is not null and not v_keys ? v_path loop
    v_path := substring(v_path from '^(.*)[/\[]');
  end loop;
  if v_keys is null or v_path is null or v_keys ->> v_path ~ '^[0-9a-f]{8}-[0-9a-f]{4}-3' then
    return query select c.id from af_family(v_run.parent_run_id) f join runs c on c.parent_run_id = f
      where c.parent_step_path = v_run.parent_step_path and c.effect_root is distinct from v_run.effect_root
        and c.id is distinct from v_run.effect_root;
  end if;
end $$;
