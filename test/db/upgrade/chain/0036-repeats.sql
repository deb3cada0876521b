set local role af_migrate;

-- The run whose id stands before the effect keys of a run that repeats another; null: its own.
alter table runs add column effect_root uuid;

-- A sub-playbook is carried out again where it ended: a new run, with the results and answers of the one before and with its
-- effect keys. What failed without hope (`retryable` is not true) has its result, too: it is not asked again.
--   p_before  the try before; null: whatever the caller's own earlier run had at this path, where the caller repeats one
-- Gives the new run; or the earlier one, where that has nothing to repeat; or nothing, where there is none.
create function af_repeat_child(p_id uuid, p_owner uuid, p_before uuid, p_parent uuid, p_path text, p_key text) returns setof runs
language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_parent runs;
  v_before runs;
  v_stops text[];
begin
  select * into v_parent from runs where id = p_parent and owner_id = p_owner;
  if p_before is not null then
    select r.* into v_before from runs r where r.id = p_before and r.owner_id = p_owner;
  else
    -- What an earlier try has taken over is the child of a try before that.
    with recursive tries (id, age) as (
        select v_parent.retry_of, 1 where v_parent.effect_root is not null
        union all
        select r.retry_of, t.age + 1 from tries t join runs r on r.id = t.id where r.effect_root is not null)
      select c.* into v_before from tries t join runs c on c.parent_run_id = t.id
        where c.parent_step_path = p_path and c.owner_id = p_owner
        order by t.age, c.created_at desc, c.id limit 1;
  end if;
  if v_before.id is null then
    return;
  end if;
  if p_before is null and (v_before.status in ('complete', 'partial')
    or v_before.status in ('failed', 'rejected', 'timed_out') and not p_path = any(af_stops(v_parent.retry_of))) then
    return query select * from runs where id = v_before.id;
    return;
  end if;
  if not af_closed(v_before.status) and v_before.workflow_started_at is not null then
    return;
  end if;
  if v_before.team_id is not null and not af_may_run(p_owner, v_before.profile_id, v_before.team_id) then
    raise exception 'a run is for a profile that its owner may not run' using errcode = 'insufficient_privilege';
  end if;
  insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, parent_run_id, parent_step_path,
      root_run_id, depth, retry_of, retry_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors,
      steps_total, retry_presets, idempotency_key, idempotency_hash, profile_id, profile_owner_id, team_id, strategy,
      output_destinations, effect_root)
    select p_id, p_owner, r.playbook_id, r.playbook_version_id, r.playbook_slug, r.playbook_name, p_parent, p_path,
      v_parent.root_run_id, v_parent.depth + 1, r.id, (af_stops(r.id))[1], r.inputs, r.query, r.run_context, r.approval_policy,
      r.invoked_by, r.clock, r.connectors, r.steps_total, af_answers_of(r.id), p_key, 'child', r.profile_id,
      r.profile_owner_id, r.team_id, r.strategy, r.output_destinations, coalesce(r.effect_root, r.id)
    from runs r where r.id = v_before.id
    on conflict do nothing;
  if not found then
    return query select * from runs where id = p_id and owner_id = p_owner;
    return;
  end if;
  v_stops := af_stops(v_before.id);
  insert into step_results (run_id, effect_key, try_no, owner_id, step_path, step_name, action, status, input, output, error,
      started_at, finished_at, copied_from)
    select p_id, s.effect_key, s.try_no, s.owner_id, s.step_path, s.step_name, s.action, s.status, s.input, s.output, s.error,
      s.started_at, s.finished_at, coalesce(s.copied_from, s.run_id)
    from step_results s where s.run_id = v_before.id and not (s.status = 'failed' and s.error::text like '%"retryable":true%'
      and exists (select from unnest(v_stops) stop where s.step_path = stop or starts_with(s.step_path, stop || '/')
        or starts_with(s.step_path, stop || '[')));
  -- What left and cannot be repeated: its outcome is not known, and a person is asked as in the run before.
  insert into step_attempts (run_id, effect_key, try_no, owner_id, step_path, effect, effect_target, effect_sent_count,
      effect_sent_at, resolution)
    select p_id, a.effect_key, a.try_no, a.owner_id, a.step_path, a.effect, a.effect_target, a.effect_sent_count,
      a.effect_sent_at, a.resolution
    from step_attempts a where a.run_id = v_before.id and a.effect = 'unsafe' and a.effect_sent_count > 0
      and not exists (select from step_results s
        where s.run_id = v_before.id and s.effect_key = a.effect_key and s.try_no = a.try_no);
  return query select * from runs where id = p_id;
end $$;

-- Paths of the steps whose failure ended a run, in the order of their ends. The text alone is searched: a payload may hold
-- what PostgreSQL's functions for JSON refuse.
create function af_stops(p_run uuid) returns text[] language sql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(step_path order by seq), '{}') from run_events
    where run_id = p_run and type = 'step.finished' and payload::text like '%"status":"failed"%'
      and payload::text like '%"on_error":"stop"%'
$$;

-- Answers of the gates of a run, those that it was given at its start included: path → answer, for a run that repeats it.
create function af_answers_of(p_run uuid) returns json language sql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select json_object_agg(path, answer) from (
    select g.key as path, g.value as answer from runs r, json_each(r.retry_presets) g where r.id = p_run
    union all
    select a.step_path, (select json_object_agg(field, value) from (values
        ('decision', to_json(case a.status when 'timed_out' then 'skipped' else a.status end)),
        ('instructions', to_json(a.instructions)), ('edits', a.edits), ('decided_by', to_json(a.decided_by))) f (field, value)
        where value is not null)
      from approvals a where a.run_id = p_run and a.status in ('approved', 'auto_approved', 'rejected', 'timed_out')) answers
$$;

revoke execute on function af_stops(uuid), af_answers_of(uuid), af_repeat_child(uuid, uuid, uuid, uuid, text, text) from public;
grant execute on function af_repeat_child(uuid, uuid, uuid, uuid, text, text) to af_login;
