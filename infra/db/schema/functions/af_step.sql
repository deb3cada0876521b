-- One step of an activity: append the engine's events and patch, record the result of the step before, begin the next.
--   p_record {effect_key, try_no, step_path, step_name, action, status, started_at, events}; its documents beside it
--   p_begin  {effect_key, try_no, step_path, worker, events}
-- Returns null for an unknown run, else {owner_id, control, status, seq, recorded, existing, begun}.
--   recorded  false: the key has a result already, in `existing`; the late attempt takes that one
--   begun     {result} when there is one; {result: null, starts, released, losses, effect, effect_sent_count, resolution, left_with}
--             when the try may run; null when the run is paused, cancelled or closed (`control` says which)
create function af_step(p_run uuid, p_events json, p_patch json, p_record json, p_input json, p_output json, p_error json,
  p_begin json) returns json language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
  select owner_id, control, status, seq, watched_until, effect_root into v_run from runs where id = p_run for no key update;
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
        'effect_sent_count', v_attempt.effect_sent_count, 'resolution', v_attempt.resolution,
        'left_with', case when v_run.effect_root is not null then af_left_with(p_run, v_run.effect_root, v_key) end);
    end if;
  end if;

  if v_open then
    perform af_touch(p_run, v_run.seq, v_seq, p_patch, v_run.watched_until);
  end if;
  return json_build_object('owner_id', v_run.owner_id, 'control', case when v_open then v_run.control else 'cancel' end,
    'status', v_run.status, 'seq', v_seq, 'recorded', v_recorded, 'existing', v_existing, 'begun', v_begun);
end $$;
