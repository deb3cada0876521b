-- Pause and the end of a run reach everything that belongs to it: sub-playbooks at all levels, and steps that are open.
set local role af_migrate;

-- ── pause ───────────────────────────────────────────────────────────────────────────────────────
-- The run whose pause reached this one.
alter table runs add column paused_by uuid;

-- Level by level in one transaction, whoever paused: a crash leaves the whole tree paused, or none of it. Each level is locked
-- before the next is looked for, and a child comes into being under its parent's lock, so none slips through.
create function af_control_children() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update runs set control = new.control, updated_at = clock_timestamp(),
      paused_by = case new.control when 'pause' then coalesce(new.paused_by, new.id) end
    where parent_run_id = new.id and control not in ('cancel', new.control) and not af_closed(status);
  return null;
end $$;
create trigger runs_control after update of control on runs for each row
  when (new.control in ('run', 'pause') and new.control <> old.control) execute function af_control_children();

-- A child begins as its parent stands.
create function af_begin_child() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_parent record;
begin
  select control, paused_by into v_parent from runs where id = new.parent_run_id for share;
  new.control := coalesce(v_parent.control, new.control);
  if new.control = 'pause' then
    new.paused_by := coalesce(v_parent.paused_by, new.parent_run_id);
  end if;
  return new;
end $$;
create trigger runs_begin_child before insert on runs for each row
  when (new.parent_run_id is not null) execute function af_begin_child();

-- Whether the run of a request is paused: whoever is asked need not see the run.
create function app_approval_paused(p_approval uuid) returns boolean language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return (select r.control = 'pause' and not af_closed(r.status) from approvals a join runs r on r.id = a.run_id
    where a.id = p_approval and af_sees_approval(p_approval, app_uid()));
end $$;
grant execute on function app_approval_paused(uuid) to af_app;

-- ── the end ─────────────────────────────────────────────────────────────────────────────────────
-- Ends of the steps that the log shows as open, as af_append takes them. Whatever ended the run, no line stays open.
create function af_open_ends(p_run uuid, p_status text) returns json language plpgsql stable as $$
begin
  return (
    select json_agg(json_build_object('id', 'closed:' || s.step_path || ':' || s.seq, 'type', 'step.finished',
        'step_path', s.step_path, 'payload', json_build_object('at',
          to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'step', regexp_replace(regexp_replace(s.step_path, '/~.*$', ''), '^.*/', ''),
          'status', case s.type when 'step.attempt_failed' then 'failed' else 'cancelled' end, 'try_no', 1,
          'error', json_build_object('code', 'run_closed', 'message', format('The run ended (%s) before this step did.', p_status))
        )::text) order by s.seq)
    from (select distinct on (e.step_path) e.step_path, e.type, e.seq from run_events e
        where e.run_id = p_run and e.step_path is not null and e.type in ('step.started', 'step.waiting',
          'step.attempt_failed', 'step.finished', 'step.skipped', 'child.started')
        order by e.step_path, e.seq desc) s
    where s.type not in ('step.finished', 'step.skipped'));
end $$;

-- As in 0003; steps and sub-playbooks that are still open end with it.
create or replace function af_finish(p_run uuid, p_status text, p_code text, p_message text, p_events json, p_patch json, p_result json,
  p_summary text, p_routing_report json, p_journal json) returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run runs;
  v_row approvals;
  v_seq bigint;
  v_done integer;
begin
  select * into v_run from runs where id = p_run for no key update;
  if not found then
    return null;
  end if;
  if af_closed(v_run.status) then
    return json_build_object('status', v_run.status, 'closed', false, 'seq', v_run.seq);
  end if;
  v_seq := v_run.seq;
  for v_row in
    update approvals set status = 'cancelled', decided_at = clock_timestamp()
      where run_id = p_run and status = 'waiting' returning *
  loop
    v_seq := af_append(p_run, v_run.owner_id, v_seq, json_build_array(af_decided_event(v_row, 'run_closed')));
  end loop;
  -- `complete` stays the last event.
  v_seq := af_append(p_run, v_run.owner_id, v_seq, (select json_agg(e.value order by e.ordinality)
    from json_array_elements(p_events) with ordinality e where e.value ->> 'type' <> 'complete'));
  v_seq := af_append(p_run, v_run.owner_id, v_seq, af_open_ends(p_run, p_status));
  v_seq := af_append(p_run, v_run.owner_id, v_seq, (select json_agg(e.value order by e.ordinality)
    from json_array_elements(p_events) with ordinality e where e.value ->> 'type' = 'complete'));
  v_done := coalesce((p_patch ->> 'steps_done')::integer, v_run.steps_done);
  update runs set status = p_status, status_code = p_code, status_message = p_message, covered = null, waits = '[]', seq = v_seq,
    patch_no = greatest(patch_no, (p_patch ->> 'no')::bigint), steps_done = v_done,
    steps_total = coalesce((p_patch ->> 'steps_total')::integer, steps_total), result = p_result, summary = p_summary,
    routing_report = p_routing_report, started_at = coalesce(started_at, clock_timestamp()),
    finished_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = p_run;
  -- Its own end reaches children by Temporal; whatever else ended it leaves them to this.
  update runs set control = 'cancel', updated_at = clock_timestamp()
    where parent_run_id = p_run and control <> 'cancel' and not af_closed(status);
  if p_journal is not null then
    insert into journal_entries (id, owner_id, run_id, playbook_id, playbook_name, kind, summary, detail_entries,
      entities_mentioned, run_context, task_status, steps_completed, entities_discovered, outputs_produced, effect_key)
    select j.id, v_run.owner_id, p_run, v_run.playbook_id, v_run.playbook_name, 'run', j.summary,
      coalesce(j.detail_entries, '[]')::json,
      coalesce((select array_agg(e.value) from json_array_elements_text(j.entities_mentioned) e), '{}'),
      v_run.run_context, p_status, v_done, coalesce(j.entities_discovered, 0), coalesce(j.outputs_produced, '[]')::json,
      p_run || '/$journal'
    from json_to_record(p_journal) as j (id uuid, summary text, detail_entries text, entities_mentioned json,
      outputs_produced text, entities_discovered integer)
    on conflict do nothing;
  end if;
  if v_run.watched_until > clock_timestamp() then
    perform pg_notify('af_run', p_run || ' end');
  end if;
  return json_build_object('status', p_status, 'closed', true, 'seq', v_seq);
end $$;

-- ── credentials ─────────────────────────────────────────────────────────────────────────────────
-- Which of these sessions and keys have ended: logged out, expired, revoked, or of an account that is not active.
create function af_ended_credentials(p_ids uuid[]) returns setof uuid language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select i.id from unnest(p_ids) as i (id)
    where not exists (select from sessions s join users u on u.id = s.owner_id and u.status = 'active'
        where s.id = i.id and s.revoked_at is null and s.expires_at > clock_timestamp())
      and not exists (select from api_keys k join users u on u.id = k.owner_id and u.status = 'active'
        where k.id = i.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp()));
end $$;
grant execute on function af_ended_credentials(uuid[]) to af_login;

reset role;
