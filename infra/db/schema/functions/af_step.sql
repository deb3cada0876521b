-- Records one step of an activity in one call: appends the engine's events and patch, records the result of the step before, begins the next one.
--   p_step    {events, patch, record, next}
--     record  {effect_key, try_no, step_path, step_name, action, status, started_at, events}; its documents (input, output, error) stand
--             beside p_step, because they are large and kept to the letter
--     next    {effect_key, try_no, step_path, worker, events}
-- Returns null for an unknown run, else {owner_id, control, status, seq, recorded, existing, begun}.
--   recorded  false: the key has a result already, in `existing`; the late attempt takes that one
--   begun     {result} when there is one; {result: null, starts, released, losses, effect, effect_sent_count, resolution, left_with}
--             when the try may run; null when the run is paused, cancelled or closed (`control` says which)
create function af_step(p_run uuid, p_step json, p_input json, p_output json, p_error json) returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_step constant af_step_call := json_populate_record(null::af_step_call, p_step);
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
    v_seq := af_append(p_run, v_run.owner_id, v_seq, v_step.events);
  end if;

  if v_step.record is not null then
    v_key := v_step.record ->> 'effect_key';
    v_try := (v_step.record ->> 'try_no')::integer;
    v_existing := af_recorded(p_run, v_key, v_try);
    v_recorded := v_existing is null;
    if v_recorded then
      -- Records the result even on a closed run, so that people see the effect that was made.
      insert into step_results (run_id, effect_key, try_no, owner_id, step_path, step_name, action, status, input, output,
        error, started_at)
      values (p_run, v_key, v_try, v_run.owner_id, v_step.record ->> 'step_path', v_step.record ->> 'step_name', v_step.record ->> 'action',
        v_step.record ->> 'status', p_input, p_output, p_error, (v_step.record ->> 'started_at')::timestamptz);
      if v_open then
        v_seq := af_append(p_run, v_run.owner_id, v_seq, v_step.record -> 'events');
      end if;
    end if;
  end if;

  if v_step.next is not null then
    v_key := v_step.next ->> 'effect_key';
    v_try := (v_step.next ->> 'try_no')::integer;
    v_result := af_recorded(p_run, v_key, v_try);
    if v_result is not null then
      v_begun := json_build_object('result', v_result);
    elsif v_open and v_run.control = 'run' then
      -- Counts a repeat by the same worker as released: the attempt before was not lost with its worker.
      insert into step_attempts as a (run_id, effect_key, try_no, owner_id, step_path, starts, worker)
      values (p_run, v_key, v_try, v_run.owner_id, v_step.next ->> 'step_path', 1, v_step.next ->> 'worker')
      on conflict (run_id, effect_key, try_no) do update set
        released = least(a.starts, a.released + (a.worker is not distinct from excluded.worker)::integer),
        starts = a.starts + 1, worker = excluded.worker, last_started_at = clock_timestamp()
      returning * into v_attempt;
      v_seq := af_append(p_run, v_run.owner_id, v_seq, v_step.next -> 'events');
      v_begun := json_build_object('result', null, 'starts', v_attempt.starts, 'released', v_attempt.released,
        'losses', v_attempt.starts - v_attempt.released - 1, 'effect', v_attempt.effect,
        'effect_sent_count', v_attempt.effect_sent_count, 'resolution', v_attempt.resolution,
        'left_with', case when v_run.effect_root is not null then af_left_with(p_run, v_run.effect_root, v_key) end);
    end if;
  end if;

  if v_open then
    perform af_touch(p_run, v_run.seq, v_seq, v_step.patch, v_run.watched_until);
  end if;
  return json_build_object('owner_id', v_run.owner_id, 'control', case when v_open then v_run.control else 'cancel' end,
    'status', v_run.status, 'seq', v_seq, 'recorded', v_recorded, 'existing', v_existing, 'begun', v_begun);
end $$;
