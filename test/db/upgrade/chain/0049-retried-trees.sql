-- A retry that somebody asks for goes on where the run ended, its sub-playbooks at all levels too, under the keys of before.
set local role af_migrate;

-- Somebody asked for it: what failed is tried again whatever it failed of.
alter table runs add column asked_again boolean not null default false;
-- Path of a step → the run whose id stands before the keys of that step and of all below it, where that is not `effect_root`.
alter table runs add column effect_keys jsonb;

-- Does this path, or one that it lies in, stand for that run?
create function af_renewed(p_keys jsonb, p_run uuid, p_path text) returns boolean language plpgsql immutable
  set search_path = pg_catalog, public, pg_temp as $$
declare
  v_path text := p_path;
begin
  while p_keys is not null and v_path is not null loop
    if p_keys ->> v_path = p_run::text then
      return true;
    end if;
    v_path := substring(v_path from '^(.*)[/\[]');
  end loop;
  return false;
end $$;

-- The keys of a run that goes on with another's: those of before, but for what is begun anew.
create function af_keys_of(p_keys jsonb, p_run uuid, p_renewed text[]) returns jsonb language plpgsql immutable
  set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new jsonb := (select jsonb_object_agg(r.path, p_run) from unnest(p_renewed) r (path));
begin
  return nullif(coalesce((select jsonb_object_agg(k.key, k.value) from jsonb_each(p_keys) k
    where not af_renewed(v_new, p_run, k.key)), '{}') || coalesce(v_new, '{}'), '{}');
end $$;

-- What the runs before had at a path as their sub-playbook, the latest first; and whether somebody asked for a run between.
-- What one of them has taken over is the child of one before; what one has begun anew is of its own alone.
create function af_child_before(p_parent uuid, p_owner uuid, p_path text) returns table (run_id uuid, asked boolean)
  language sql stable rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
  with recursive tries (id, retry_of, effect_root, effect_keys, asked_again, asked, age) as (
      select r.id, r.retry_of, r.effect_root, r.effect_keys, r.asked_again, false, 0
        from runs r where r.id = p_parent and r.owner_id = p_owner
      union all
      select r.id, r.retry_of, r.effect_root, r.effect_keys, r.asked_again, t.asked or t.asked_again, t.age + 1
        from tries t join runs r on r.id = t.retry_of
        where t.effect_root is not null and not af_renewed(t.effect_keys, t.id, p_path))
    select c.id, t.asked from tries t join runs c on c.parent_run_id = t.id
      where t.age > 0 and c.parent_step_path = p_path and c.owner_id = p_owner
      order by t.age, c.created_at desc, c.id limit 1
$$;

-- Results and answers that hold again in a run that goes on with another's keys. What a person said was done is done.
create function af_take_over(p_from uuid, p_to uuid, p_paths text[]) returns setof text language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into step_results (run_id, effect_key, try_no, owner_id, step_path, step_name, action, status, input, output, error,
      started_at, finished_at, copied_from)
    select p_to, a.effect_key, a.try_no, a.owner_id, a.step_path, regexp_replace(regexp_replace(a.step_path, '/~.*$', ''), '^.*/', ''),
      coalesce(e.payload ->> 'action', ''), 'ok', null, '{"value":{"resolved":"done"}}', null, a.first_started_at,
      a.last_started_at, p_from
    from step_attempts a left join lateral (select s.payload from run_events s where s.run_id = p_from
      and s.type = 'step.started' and s.step_path = a.step_path order by s.seq desc limit 1) e on true
    where a.run_id = p_from and a.resolution = 'done' and (p_paths is null or a.step_path = any(p_paths))
      and not exists (select from step_results s
        where s.run_id = p_from and s.effect_key = a.effect_key and s.try_no = a.try_no)
    on conflict do nothing;
  return query
    insert into step_results (run_id, effect_key, try_no, owner_id, step_path, step_name, action, status, input, output,
      error, started_at, finished_at, copied_from)
    select p_to, s.effect_key, s.try_no, s.owner_id, s.step_path, s.step_name, s.action, s.status, s.input, s.output, s.error,
      s.started_at, s.finished_at, coalesce(s.copied_from, s.run_id)
    from step_results s where s.run_id = p_from and s.status = 'ok' and s.step_path = any(p_paths)
    on conflict do nothing
    returning step_path;
end $$;

-- What left and cannot be repeated: its outcome is not known, and a person is asked as in the run before.
create function af_ask_again(p_from uuid, p_to uuid) returns void language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into step_attempts (run_id, effect_key, try_no, owner_id, step_path, effect, effect_target, effect_sent_count,
      effect_sent_at, resolution)
    select p_to, a.effect_key, a.try_no, a.owner_id, a.step_path, a.effect, a.effect_target, a.effect_sent_count,
      a.effect_sent_at, a.resolution
    from step_attempts a join runs t on t.id = p_to
    where a.run_id = p_from and a.effect = 'unsafe' and a.effect_sent_count > 0
      and not af_renewed(t.effect_keys, p_to, a.step_path)
      and not exists (select from step_results s
        where s.run_id in (p_from, p_to) and s.effect_key = a.effect_key and s.try_no = a.try_no);
end $$;

-- The row of a sub-playbook that goes on where another of its caller's runs ended. Gives whether it was made.
create function af_insert_repeat(p_id uuid, p_before runs, p_parent runs, p_path text, p_key text, p_from text, p_presets json,
  p_keys jsonb, p_asked boolean) returns boolean language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if p_before.team_id is not null and not af_may_run(p_before.owner_id, p_before.profile_id, p_before.team_id) then
    raise exception 'a run is for a profile that its owner may not run' using errcode = 'insufficient_privilege';
  end if;
  insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, parent_run_id, parent_step_path,
      root_run_id, depth, retry_of, retry_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors,
      steps_total, retry_presets, idempotency_key, idempotency_hash, profile_id, profile_owner_id, team_id, strategy,
      output_destinations, effect_root, effect_keys, asked_again)
    values (p_id, p_before.owner_id, p_before.playbook_id, p_before.playbook_version_id, p_before.playbook_slug,
      p_before.playbook_name, p_parent.id, p_path, p_parent.root_run_id, p_parent.depth + 1, p_before.id, p_from, p_before.inputs,
      p_before.query, p_before.run_context, p_before.approval_policy, p_before.invoked_by, p_before.clock, p_before.connectors,
      p_before.steps_total, p_presets, p_key, 'child', p_before.profile_id, p_before.profile_owner_id, p_before.team_id,
      p_before.strategy, p_before.output_destinations, coalesce(p_before.effect_root, p_before.id), p_keys, p_asked)
    on conflict do nothing;
  return found;
end $$;

-- As in 0036. What stands before a try that somebody asked for is not for this: af_retry_child.
create or replace function af_repeat_child(p_id uuid, p_owner uuid, p_before uuid, p_parent uuid, p_path text, p_key text)
returns setof runs language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_parent runs;
  v_before runs;
  v_stops text[];
begin
  select * into v_parent from runs where id = p_parent and owner_id = p_owner;
  select r.* into v_before from runs r
    where r.owner_id = p_owner and r.id = coalesce(p_before, (select b.run_id from af_child_before(p_parent, p_owner, p_path) b));
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
  v_stops := af_stops(v_before.id);
  if not af_insert_repeat(p_id, v_before, v_parent, p_path, p_key, v_stops[1], af_answers_of(v_before.id), v_before.effect_keys,
      false) then
    return query select * from runs where id = p_id and owner_id = p_owner;
    return;
  end if;
  perform af_take_over(v_before.id, p_id, array(select s.step_path from step_results s
    where s.run_id = v_before.id and s.status = 'ok' union select a.step_path from step_attempts a
    where a.run_id = v_before.id and a.resolution = 'done'));
  insert into step_results (run_id, effect_key, try_no, owner_id, step_path, step_name, action, status, input, output, error,
      started_at, finished_at, copied_from)
    select p_id, s.effect_key, s.try_no, s.owner_id, s.step_path, s.step_name, s.action, s.status, s.input, s.output, s.error,
      s.started_at, s.finished_at, coalesce(s.copied_from, s.run_id)
    from step_results s where s.run_id = v_before.id and s.status = 'failed'
      and not (s.error::text like '%"retryable":true%'
        and exists (select from unnest(v_stops) stop where s.step_path = stop or starts_with(s.step_path, stop || '/')
          or starts_with(s.step_path, stop || '[')));
  perform af_ask_again(v_before.id, p_id);
  return query select * from runs where id = p_id;
end $$;

-- The sub-playbook of a retry that somebody asked for: a new run that goes on where the earlier one ended, with what the
-- caller found of it to hold again.
create function af_retry_child(p_id uuid, p_owner uuid, p_before uuid, p_parent uuid, p_path text, p_key text, p_from text,
  p_presets json, p_keep text[], p_renewed text[]) returns setof runs language plpgsql rows 1
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_parent runs;
  v_before runs;
begin
  select * into v_parent from runs where id = p_parent and owner_id = p_owner;
  select * into v_before from runs where id = p_before and owner_id = p_owner;
  if v_parent.id is null or v_before.id is null then
    return;
  end if;
  if af_insert_repeat(p_id, v_before, v_parent, p_path, p_key, p_from, p_presets,
      af_keys_of(v_before.effect_keys, p_id, p_renewed), true) then
    perform af_take_over(p_before, p_id, p_keep);
    perform af_ask_again(p_before, p_id);
  end if;
  return query select * from runs where id = p_id and owner_id = p_owner;
end $$;

-- How the sub-playbooks of a run ended, each path's last. One that is `partial` is not well where a step failed in it, at any
-- depth. The text is searched: a payload may hold what PostgreSQL's functions for JSON refuse.
create function af_children_ended(p_run uuid) returns table (step_path text, ok boolean) language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select c.step_path, c.payload ->> 'status' = 'complete'
        or c.payload ->> 'status' = 'partial' and not af_failed_within((c.payload ->> 'child')::uuid)
      from (select distinct on (e.step_path) e.step_path, e.payload from run_events e
        where e.run_id = p_run and e.type = 'child.finished' order by e.step_path, e.seq desc) c;
end $$;

create function af_failed_within(p_run uuid) returns boolean language plpgsql stable
  set search_path = pg_catalog, public, pg_temp as $$
begin
  return exists (select from (select distinct on (e.step_path) e.type, e.payload from run_events e
        where e.run_id = p_run and e.type = 'step.finished' order by e.step_path, e.seq desc) s
      where s.payload::text like '%"status":"failed"%' and s.payload::text like '%"on_error":%')
    or exists (select from af_children_ended(p_run) c where not c.ok);
end $$;

create function app_children_ended(p_run uuid) returns table (step_path text, ok boolean) language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from runs r where r.id = p_run and r.owner_id = app_uid()) then
    return query select c.step_path, c.ok from af_children_ended(p_run) c;
  end if;
end $$;

-- As in 0026: it goes on with the keys of the run before. `p_renewed`: paths that begin anew.
drop function app_retry_run(uuid, uuid, text, json, json, text, text);
create function app_retry_run(p_id uuid, p_run uuid, p_from text, p_presets json, p_overrides json, p_key text, p_hash text,
  p_renewed text[]) returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, root_run_id, depth,
      retry_of, retry_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      retry_presets, retry_overrides, idempotency_key, idempotency_hash, profile_id, profile_owner_id, team_id, strategy,
      output_destinations, effect_root, effect_keys, asked_again)
    select p_id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, p_id, 0,
      id, p_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      p_presets, p_overrides, p_key, p_hash, profile_id, profile_owner_id, team_id, strategy, output_destinations,
      coalesce(effect_root, id), af_keys_of(effect_keys, p_id, p_renewed), true
    from runs r where id = p_run and app_why_no_retry(p_run) is null
    on conflict do nothing;
  return found;
end $$;

-- As in 0012, under the keys of before; what left and has no outcome comes along.
create or replace function app_copy_results(p_from uuid, p_to uuid, p_paths text[]) returns setof text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if (select count(*) from runs r where r.id in (p_from, p_to) and r.owner_id = app_uid()) < 2 then
    return;
  end if;
  return query select * from af_take_over(p_from, p_to, p_paths);
  perform af_ask_again(p_from, p_to);
end $$;

revoke execute on function af_renewed(jsonb, uuid, text), af_keys_of(jsonb, uuid, text[]), af_child_before(uuid, uuid, text),
  af_take_over(uuid, uuid, text[]), af_ask_again(uuid, uuid), af_insert_repeat(uuid, runs, runs, text, text, text, json, jsonb, boolean),
  af_retry_child(uuid, uuid, uuid, uuid, text, text, text, json, text[], text[]), af_children_ended(uuid), af_failed_within(uuid),
  app_children_ended(uuid), app_retry_run(uuid, uuid, text, json, json, text, text, text[]) from public;
grant execute on function af_child_before(uuid, uuid, text),
  af_retry_child(uuid, uuid, uuid, uuid, text, text, text, json, text[], text[]) to af_login;
grant execute on function app_retry_run(uuid, uuid, text, json, json, text, text, text[]), app_children_ended(uuid) to af_app;

reset role;
