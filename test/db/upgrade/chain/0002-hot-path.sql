-- The hot path: one call, one round trip, one transaction. Everything that changes a run's projection is in here.
--
-- Rules of these functions
--  * The run's row is locked first (FOR NO KEY UPDATE), then approvals, then the owner's decision log: no deadlock.
--  * `seq` is taken under that lock: commit order = seq order, without gaps.
--  * An event id that is already there is ignored, so that every call may be repeated.
--  * A closed run takes no event and no status any more: `complete` stays the last event.
--  * plpgsql throughout: it keeps its plans, an SQL function that is not inlined is planned at each call.
--  * Documents of the caller travel as strings inside the parameters (`payload`, `waits`, `preview`...): PostgreSQL
--    refuses to take a field out of a json value that has \u0000 or a lone surrogate anywhere in it.

create function af_closed(p_status text) returns boolean language sql immutable parallel safe as $$
  select p_status in ('suppressed', 'complete', 'partial', 'rejected', 'failed', 'cancelled', 'timed_out')
$$;

-- Appends [{id, type, step_path, payload}] after p_seq and returns the new seq. The caller holds the run's row.
create function af_append(p_run uuid, p_owner uuid, p_seq bigint, p_events json) returns bigint language plpgsql as $$
declare
  v_event record;
  v_seq bigint := p_seq;
begin
  if p_events is null then
    return p_seq;
  end if;
  -- Row by row: a set-based anti-join is planned for a hundred events and then reads the run's whole log.
  for v_event in
    select * from json_to_recordset(p_events) as e (id text, type text, step_path text, payload text)
  loop
    insert into run_events (run_id, seq, event_id, owner_id, type, step_path, payload)
    values (p_run, v_seq + 1, v_event.id, p_owner, v_event.type, v_event.step_path, v_event.payload::json)
    on conflict (run_id, event_id) do nothing;
    if found then
      v_seq := v_seq + 1;
    end if;
  end loop;
  return v_seq;
end $$;

-- Writes seq and a status patch {no, status, code, message, waits, steps_done, steps_total} in one update, and wakes
-- readers. An older patch changes nothing.
create function af_touch(p_run uuid, p_old_seq bigint, p_seq bigint, p_patch json, p_watched timestamptz) returns void
language plpgsql as $$
declare
  v_done boolean := false;
begin
  if p_patch is not null then
    update runs r set
      seq = p_seq,
      patch_no = n.no,
      status = coalesce(n.status, r.status),
      status_code = n.code,
      status_message = n.message,
      covered = null,
      waits = coalesce(n.waits::json, r.waits),
      steps_done = coalesce(n.steps_done, r.steps_done),
      steps_total = coalesce(n.steps_total, r.steps_total),
      started_at = coalesce(r.started_at, clock_timestamp()),
      updated_at = clock_timestamp()
    from json_to_record(p_patch) as n (no bigint, status text, code text, message text, waits text, steps_done integer,
      steps_total integer)
    where r.id = p_run and r.patch_no < n.no;
    v_done := found;
  end if;
  if not v_done and p_seq <> p_old_seq then
    update runs set seq = p_seq, started_at = coalesce(started_at, clock_timestamp()), updated_at = clock_timestamp()
      where id = p_run;
    v_done := true;
  end if;
  if v_done and p_watched > clock_timestamp() then
    perform pg_notify('af_run', p_run::text);
  end if;
end $$;

-- The recorded result that answers a try: a success of any try, else the result of this try.
create function af_recorded(p_run uuid, p_effect_key text, p_try_no integer) returns json language plpgsql stable as $$
declare
  v_row step_results;
begin
  select * into v_row from step_results r
    where r.run_id = p_run and r.effect_key = p_effect_key and (r.status = 'ok' or r.try_no = p_try_no)
    order by (r.status = 'ok') desc, r.try_no limit 1;
  if not found then
    return null;
  end if;
  return json_build_object('status', v_row.status, 'try_no', v_row.try_no, 'output', v_row.output, 'error', v_row.error,
    'started_at', v_row.started_at, 'finished_at', v_row.finished_at);
end $$;

-- One step of an activity: append the engine's events and patch, record the result of the step before, begin the next.
--   p_record {effect_key, try_no, step_path, step_name, action, status, started_at, events}; its documents beside it
--   p_begin  {effect_key, try_no, step_path, worker, events}
-- Returns null for an unknown run, else {owner_id, control, status, seq, recorded, existing, begun}.
--   recorded  false: the key has a result already, in `existing`; the late attempt takes that one
--   begun     {result} when there is one; {result: null, starts, released, losses, effect, effect_sent_count, resolution}
--             when the try may run; null when the run is paused, cancelled or closed (`control` says which)
create function af_step(p_run uuid, p_events json, p_patch json, p_record json, p_input json, p_output json, p_error json,
  p_begin json) returns json language plpgsql as $$
declare
  v_run record;
  v_open boolean;
  v_seq bigint;
  v_recorded boolean;
  v_existing json;
  v_result json;
  v_begun json;
  v_key text;
  v_try integer;
  v_attempt step_attempts;
begin
  select owner_id, control, status, seq, watched_until into v_run from runs where id = p_run for no key update;
  if not found then
    return null;
  end if;
  v_open := not af_closed(v_run.status);
  v_seq := v_run.seq;
  if v_open then
    v_seq := af_append(p_run, v_run.owner_id, v_seq, p_events);
  end if;

  if p_record is not null then
    v_key := p_record ->> 'effect_key';
    v_try := (p_record ->> 'try_no')::integer;
    v_existing := af_recorded(p_run, v_key, v_try);
    v_recorded := v_existing is null;
    if v_recorded then
      -- Also on a closed run: an effect that was made is shown.
      insert into step_results (run_id, effect_key, try_no, owner_id, step_path, step_name, action, status, input, output,
        error, started_at)
      values (p_run, v_key, v_try, v_run.owner_id, p_record ->> 'step_path', p_record ->> 'step_name', p_record ->> 'action',
        p_record ->> 'status', p_input, p_output, p_error, (p_record ->> 'started_at')::timestamptz);
      if v_open then
        v_seq := af_append(p_run, v_run.owner_id, v_seq, p_record -> 'events');
      end if;
    end if;
  end if;

  if p_begin is not null then
    v_key := p_begin ->> 'effect_key';
    v_try := (p_begin ->> 'try_no')::integer;
    v_result := af_recorded(p_run, v_key, v_try);
    if v_result is not null then
      v_begun := json_build_object('result', v_result);
    elsif v_open and v_run.control = 'run' then
      -- The same worker asks again: the attempt before was not lost with its worker.
      insert into step_attempts as a (run_id, effect_key, try_no, owner_id, step_path, starts, worker)
      values (p_run, v_key, v_try, v_run.owner_id, p_begin ->> 'step_path', 1, p_begin ->> 'worker')
      on conflict (run_id, effect_key, try_no) do update set
        released = least(a.starts, a.released + (a.worker is not distinct from excluded.worker)::integer),
        starts = a.starts + 1, worker = excluded.worker, last_started_at = clock_timestamp()
      returning * into v_attempt;
      v_seq := af_append(p_run, v_run.owner_id, v_seq, p_begin -> 'events');
      v_begun := json_build_object('result', null, 'starts', v_attempt.starts, 'released', v_attempt.released,
        'losses', v_attempt.starts - v_attempt.released - 1, 'effect', v_attempt.effect,
        'effect_sent_count', v_attempt.effect_sent_count, 'resolution', v_attempt.resolution);
    end if;
  end if;

  if v_open then
    perform af_touch(p_run, v_run.seq, v_seq, p_patch, v_run.watched_until);
  end if;
  return json_build_object('owner_id', v_run.owner_id, 'control', case when v_open then v_run.control else 'cancel' end,
    'status', v_run.status, 'seq', v_seq, 'recorded', v_recorded, 'existing', v_existing, 'begun', v_begun);
end $$;

-- An attempt that ended without a result and without being lost (database outage, shutdown): not a loss.
create function af_release(p_run uuid, p_effect_key text, p_try_no integer, p_worker text) returns void language sql as $$
  update step_attempts set released = least(starts, released + 1), worker = null
    where run_id = p_run and effect_key = p_effect_key and try_no = p_try_no and worker = p_worker
$$;

-- The attempt row of an effect, committed before the request leaves.
-- Returns {sent, control, reason}; reason: `outcome_unknown` (an unsafe request left earlier, under any try, and has no
-- result), `recorded` (this try has its result: the caller is a late attempt), `closed` (cancelled or closed),
-- `no_attempt` (nobody began this try).
create function af_effect_sent(p_run uuid, p_effect_key text, p_try_no integer, p_effect text, p_target text, p_events json)
returns json language plpgsql as $$
declare
  v_run record;
  v_seq bigint;
  v_reason text;
begin
  select owner_id, control, status, seq, watched_until into v_run from runs where id = p_run for no key update;
  if not found or v_run.control = 'cancel' or af_closed(v_run.status) then
    return json_build_object('sent', false, 'control', 'cancel', 'reason', 'closed');
  end if;
  if af_recorded(p_run, p_effect_key, p_try_no) is not null then
    v_reason := 'recorded';
  elsif p_effect = 'unsafe' and exists (
    select 1 from step_attempts a
      where a.run_id = p_run and a.effect_key = p_effect_key and a.effect = 'unsafe' and a.effect_sent_count > 0
        and coalesce(a.resolution, '') not in ('repeat', 'not_done')
        and not exists (select 1 from step_results r
          where r.run_id = p_run and r.effect_key = p_effect_key and r.try_no = a.try_no)
  ) then
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
