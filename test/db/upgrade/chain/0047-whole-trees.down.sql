set local role af_migrate;

drop trigger runs_control on runs;
drop trigger runs_begin_child on runs;

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
  v_seq := af_append(p_run, v_run.owner_id, v_seq, p_events);
  v_done := coalesce((p_patch ->> 'steps_done')::integer, v_run.steps_done);
  update runs set status = p_status, status_code = p_code, status_message = p_message, covered = null, waits = '[]', seq = v_seq,
    patch_no = greatest(patch_no, (p_patch ->> 'no')::bigint), steps_done = v_done,
    steps_total = coalesce((p_patch ->> 'steps_total')::integer, steps_total), result = p_result, summary = p_summary,
    routing_report = p_routing_report, started_at = coalesce(started_at, clock_timestamp()),
    finished_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = p_run;
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

drop function af_control_children(), af_begin_child(), app_approval_paused(uuid), af_open_ends(uuid, text),
  af_ended_credentials(uuid[]);
alter table runs drop column paused_by;

reset role;
