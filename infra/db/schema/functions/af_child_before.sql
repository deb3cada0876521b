-- Lists the sub-playbook runs that earlier runs had at a path, latest first; asked: a person asked for a run in between. A run that took a
-- child over has the child of the run before; a run that began one anew has only its own.
create function af_child_before(p_parent uuid, p_owner uuid, p_path text) returns table (run_id uuid, asked boolean)
  language sql stable rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
  with recursive tries (id, retry_of, effect_root, effect_keys, asked_again, asked, age) as (
      select r.id, r.retry_of, r.effect_root, r.effect_keys, r.asked_again, false, 0
        from runs r where r.id = p_parent and r.owner_id = p_owner
      union all
      select r.id, r.retry_of, r.effect_root, r.effect_keys, r.asked_again, t.asked or t.asked_again, t.age + 1
        from tries t join runs r on r.id = t.retry_of
        where t.effect_root is not null and not af_renewed(t.effect_keys, t.id, p_path)
          and not af_renewed(t.effect_keys, af_shared_keys(t.retry_of), p_path))
    select c.id, t.asked from tries t join runs c on c.parent_run_id = t.id
      where t.age > 0 and c.parent_step_path = p_path and c.owner_id = p_owner
      order by t.age, c.created_at desc, c.id limit 1
$$;
