-- Ends a run once: closes its requests and open steps, writes its last events and its journal entry, and cancels what it started. A
-- sub-playbook that has not begun ends with it, since nothing else would close it. Returns {status, closed, seq}; closed false: the run had
-- already ended.
create function af_finish(p_run uuid, p_end json, p_events json, p_result json) returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_end constant af_run_end := json_populate_record(null::af_run_end, p_end);
  c_before_it_began constant text := 'The run that called it ended before it began.';
  v_run runs;
  v_child runs;
  v_at text := to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  v_row approvals;
  v_seq bigint;
  v_done integer;
  v_open json;
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
  v_seq := af_append(p_run, v_run.owner_id, v_seq, p_events);
  v_open := af_open_ends(p_run, v_end.status);
  if v_open is not null then
    -- Keeps `complete` the last event of a run.
    delete from run_events where run_id = p_run and seq = v_seq and type = 'complete';
    if found then
      v_seq := af_append(p_run, v_run.owner_id, v_seq - 1, v_open);
      v_seq := af_append(p_run, v_run.owner_id, v_seq, (select json_agg(e.value order by e.ordinality)
        from json_array_elements(p_events) with ordinality e where e.value ->> 'type' = 'complete'));
    else
      v_seq := af_append(p_run, v_run.owner_id, v_seq, v_open);
    end if;
  end if;
  v_done := coalesce((v_end.patch::json ->> 'steps_done')::integer, v_run.steps_done);
  -- Marks open model calls as lost; an answer that comes later is still booked.
  if v_run.unpriced_calls > 0 then
    update model_calls set outcome = 'lost' where run_id = p_run and outcome = 'open';
  end if;
  update runs set status = v_end.status, status_code = v_end.code, status_message = v_end.message, covered = null, waits = '[]', seq = v_seq,
    patch_no = greatest(patch_no, (v_end.patch::json ->> 'no')::bigint), steps_done = v_done,
    steps_total = coalesce((v_end.patch::json ->> 'steps_total')::integer, steps_total), result = p_result, summary = v_end.summary,
    routing_report = v_end.routing_report::json, started_at = coalesce(started_at, clock_timestamp()),
    finished_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = p_run;
  -- Cancels the children here where the run did not end by itself: otherwise Temporal reaches them.
  update runs set control = 'cancel', updated_at = clock_timestamp()
    where parent_run_id = p_run and control <> 'cancel' and not af_closed(status);
  for v_child in select * from runs where parent_run_id = p_run and status = 'pending' order by id loop
    perform af_finish(v_child.id, json_build_object('status', 'cancelled', 'code', 'cancelled', 'message', c_before_it_began,
        'journal', json_build_object('id', gen_random_uuid(),
          'summary', v_child.playbook_name || ': cancelled. ' || c_before_it_began)::text),
      json_build_array(
        json_build_object('id', 'outside:status', 'type', 'run.status', 'payload', json_build_object('at', v_at,
          'status', 'cancelled', 'code', 'cancelled', 'message', c_before_it_began, 'waits', json_build_array())::text),
        json_build_object('id', 'outside:complete', 'type', 'complete', 'payload', json_build_object('at', v_at,
          'status', 'cancelled', 'code', 'cancelled', 'message', c_before_it_began)::text)), null);
  end loop;
  if v_end.journal is not null then
    insert into journal_entries (id, owner_id, run_id, playbook_id, playbook_name, kind, summary, detail_entries,
      entities_mentioned, run_context, task_status, steps_completed, entities_discovered, outputs_produced, effect_key)
    select j.id, v_run.owner_id, p_run, v_run.playbook_id, v_run.playbook_name, 'run', j.summary,
      coalesce(j.detail_entries, '[]')::json,
      coalesce((select array_agg(e.value) from json_array_elements_text(j.entities_mentioned) e), '{}'),
      v_run.run_context, v_end.status, v_done, coalesce(j.entities_discovered, 0), coalesce(j.outputs_produced, '[]')::json,
      p_run || '/$journal'
    from json_to_record(v_end.journal::json) as j (id uuid, summary text, detail_entries text, entities_mentioned json,
      outputs_produced text, entities_discovered integer)
    on conflict do nothing;
  end if;
  if v_run.watched_until > clock_timestamp() then
    perform pg_notify('af_run', p_run || ' end');
  end if;
  return json_build_object('status', v_end.status, 'closed', true, 'seq', v_seq);
end $$;
