-- For processes of before that run on during an update: they give what af_insert_run takes, some of it by other names.
create function af_create_run(p_run json) returns setof runs
language sql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
  select * from af_insert_run(
    (select json_object_agg(coalesce(n.name, f.key), f.value) from json_each(p_run) f
      left join (values ('owner', 'owner_id'), ('playbook', 'playbook_id'), ('version', 'playbook_version_id'),
        ('slug', 'playbook_slug'), ('name', 'playbook_name'), ('parent', 'parent_run_id'), ('parent_path', 'parent_step_path'),
        ('root', 'root_run_id'), ('key', 'idempotency_key'), ('hash', 'idempotency_hash'), ('profile', 'profile_id'),
        ('team', 'team_id'), ('destinations', 'output_destinations')) n (before, name) on n.before = f.key),
    (p_run ->> 'watch_seconds')::integer);
$$;
