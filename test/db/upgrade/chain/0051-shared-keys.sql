-- An unsafe request leaves once under a key, from whichever run: retries of one run share its keys and may go on side by side.
set local role af_migrate;

create index runs_effect_root on runs (effect_root) where effect_root is not null;

-- Did another run with these keys send this, and is it not known to have failed? What a run has sent itself, or took over, is its own
-- to judge. The lock keeps two from asking at one moment.
create function af_left_elsewhere(p_run uuid, p_root uuid, p_effect_key text) returns boolean language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if p_root is null then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_effect_key, 51));
  return not exists (select from step_attempts a where a.run_id = p_run and a.effect_key = p_effect_key
      and (a.effect_sent_count > 0 or a.resolution in ('repeat', 'not_done')))
    and exists (select from runs r join step_attempts a on a.run_id = r.id
      where (r.effect_root = p_root or r.id = p_root) and r.id <> p_run
        and a.effect_key = p_effect_key and a.effect = 'unsafe' and a.effect_sent_count > 0
        and coalesce(a.resolution, '') not in ('repeat', 'not_done')
        and not exists (select from step_results s where s.run_id = a.run_id and s.effect_key = a.effect_key
          and s.try_no = a.try_no and s.status = 'failed'));
end $$;

-- As in 0035. `outcome_unknown` also where another run with these keys sent it.
create or replace function af_effect_sent(p_run uuid, p_effect_key text, p_try_no integer, p_effect text, p_target text, p_events json,
  p_worker text) returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run record;
  v_seq bigint;
  v_reason text;
begin
  select owner_id, control, status, seq, watched_until, effect_root into v_run from runs where id = p_run for no key update;
  if not found or v_run.control = 'cancel' or af_closed(v_run.status) then
    return json_build_object('sent', false, 'control', 'cancel', 'reason', 'closed');
  end if;
  if af_recorded(p_run, p_effect_key, p_try_no) is not null then
    v_reason := 'recorded';
  elsif p_worker is not null and exists (
    select 1 from step_attempts a
      where a.run_id = p_run and a.effect_key = p_effect_key and a.try_no = p_try_no and a.worker is distinct from p_worker
  ) then
    v_reason := 'superseded';
  elsif p_effect = 'unsafe' and exists (
    select 1 from step_attempts a
      where a.run_id = p_run and a.effect_key = p_effect_key and a.effect = 'unsafe' and a.effect_sent_count > 0
        and coalesce(a.resolution, '') not in ('repeat', 'not_done')
        and not exists (select 1 from step_results r
          where r.run_id = p_run and r.effect_key = p_effect_key and r.try_no = a.try_no)
  ) then
    v_reason := 'outcome_unknown';
  elsif p_effect = 'unsafe' and af_left_elsewhere(p_run, v_run.effect_root, p_effect_key) then
    v_reason := 'outcome_unknown';
  else
    update step_attempts set effect = p_effect, effect_target = p_target, effect_sent_count = effect_sent_count + 1,
      effect_sent_at = clock_timestamp(), resolution = null
      where run_id = p_run and effect_key = p_effect_key and try_no = p_try_no;
    if not found then
      v_reason := 'no_attempt';
    end if;
  end if;
  if v_reason is not null then
    return json_build_object('sent', false, 'control', v_run.control, 'reason', v_reason);
  end if;
  v_seq := af_append(p_run, v_run.owner_id, v_run.seq, p_events);
  perform af_touch(p_run, v_run.seq, v_seq, null, v_run.watched_until);
  return json_build_object('sent', true, 'control', v_run.control, 'reason', null);
end $$;

-- For builds that do not say what begins anew (0026): all of it has keys of its own.
create function app_retry_run(p_id uuid, p_run uuid, p_from text, p_presets json, p_overrides json, p_key text,
  p_hash text) returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, root_run_id, depth,
      retry_of, retry_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      retry_presets, retry_overrides, idempotency_key, idempotency_hash, profile_id, profile_owner_id, team_id, strategy,
      output_destinations)
    select p_id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, p_id, 0,
      id, p_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      p_presets, p_overrides, p_key, p_hash, profile_id, profile_owner_id, team_id, strategy, output_destinations
    from runs r where id = p_run and app_why_no_retry(p_run) is null
    on conflict do nothing;
  return found;
end $$;

revoke execute on function af_left_elsewhere(uuid, uuid, text),
  app_retry_run(uuid, uuid, text, json, json, text, text) from public;
grant execute on function app_retry_run(uuid, uuid, text, json, json, text, text) to af_app;

reset role;
