-- Transitions of the engine, decisions and the end of a run. Locks and repeats: see 0002.

-- Hash chain: hash = sha256(prev_hash || entry), hex; the first prev_hash is 64 zeros. One chain per owner.
create function af_log_decision(p_owner uuid, p_entry text) returns void language plpgsql as $$
declare
  v_last record;
begin
  perform 1 from users where id = p_owner for no key update;
  select no, hash into v_last from decision_log where owner_id = p_owner order by no desc limit 1;
  insert into decision_log (owner_id, no, entry, prev_hash, hash)
  values (p_owner, coalesce(v_last.no, 0) + 1, p_entry, coalesce(v_last.hash, repeat('0', 64)),
    encode(sha256(convert_to(coalesce(v_last.hash, repeat('0', 64)) || p_entry, 'UTF8')), 'hex'));
end $$;

-- What everybody who asks about an approval gets to see.
create function af_approval_outcome(p_approval approvals) returns json language sql immutable as $$
  select json_build_object('approvalId', p_approval.id, 'runId', p_approval.run_id, 'step_path', p_approval.step_path,
    'status', p_approval.status, 'decisionId', p_approval.decision_id, 'decided_by', p_approval.decided_by,
    'decided_at', p_approval.decided_at, 'instructions', p_approval.instructions, 'edits', p_approval.edits,
    'digest', p_approval.digest, 'approved_digest', p_approval.approved_digest)
$$;

-- The event that tells of an approval's end, as af_append takes it.
create function af_decided_event(p_approval approvals, p_via text) returns json language sql immutable as $$
  select json_build_object('id', 'approval:' || p_approval.id || ':decided', 'type', 'approval.decided',
    'step_path', p_approval.step_path,
    'payload', json_build_object('approvalId', p_approval.id, 'step', p_approval.step_name,
      'decision', p_approval.status, 'decisionId', p_approval.decision_id, 'decided_by', p_approval.decided_by, 'via', p_via,
      'instructions', p_approval.instructions, 'edits', p_approval.edits)::text)
$$;

-- Opens approvals [{id, step_path, step_name, status, prompt, preview, preview_total, action, digest, edit_schema,
-- on_reject, on_timeout, due_at}]; one that is there already stays as it is. `auto_approved` is decided by policy.
create function af_open_approvals(p_run uuid, p_owner uuid, p_approvals json) returns void language plpgsql as $$
declare
  v_row approvals;
begin
  for v_row in
    insert into approvals (id, run_id, owner_id, step_path, step_name, status, prompt, preview, preview_total, action, digest,
      edit_schema, on_reject, on_timeout, due_at, decided_at, decided_by, decision_id, approved_digest)
    select a.id, p_run, p_owner, a.step_path, a.step_name, a.status, a.prompt, a.preview::json, a.preview_total,
      a.action::json, a.digest, a.edit_schema::json, a.on_reject, a.on_timeout, a.due_at,
      case when a.status = 'auto_approved' then clock_timestamp() end,
      case when a.status = 'auto_approved' then 'policy' end,
      case when a.status = 'auto_approved' then gen_random_uuid() end,
      case when a.status = 'auto_approved' then a.digest end
    from json_to_recordset(p_approvals) as a (id uuid, step_path text, step_name text, status text, prompt text, preview text,
      preview_total integer, action text, digest text, edit_schema text, on_reject text, on_timeout text, due_at timestamptz)
    on conflict do nothing
    returning *
  loop
    if v_row.status = 'auto_approved' then
      insert into approval_decisions (approval_id, decision_id, run_id, owner_id, actor, via, decision, digest, state,
        settled_at)
      values (v_row.id, v_row.decision_id, p_run, p_owner, 'policy', 'policy', 'approve', v_row.digest, 'counted',
        clock_timestamp());
      perform af_log_decision(p_owner, json_build_object('at', v_row.decided_at, 'run', p_run, 'approval', v_row.id,
        'step_path', v_row.step_path, 'decision_id', v_row.decision_id, 'actor', 'policy', 'via', 'policy',
        'decision', 'approve', 'state', 'counted', 'code', null, 'instructions', null, 'edits', null,
        'digest', v_row.digest)::text);
    end if;
  end loop;
end $$;

-- The engine's own transitions before a wait. Returns null for an unknown run, else {control, status, seq, applied}.
create function af_transition(p_run uuid, p_events json, p_patch json, p_approvals json) returns json language plpgsql as $$
declare
  v_run record;
  v_seq bigint;
begin
  select owner_id, control, status, seq, watched_until into v_run from runs where id = p_run for no key update;
  if not found then
    return null;
  end if;
  if af_closed(v_run.status) then
    return json_build_object('control', 'cancel', 'status', v_run.status, 'seq', v_run.seq, 'applied', false);
  end if;
  if p_approvals is not null then
    perform af_open_approvals(p_run, v_run.owner_id, p_approvals);
  end if;
  v_seq := af_append(p_run, v_run.owner_id, v_run.seq, p_events);
  perform af_touch(p_run, v_run.seq, v_seq, p_patch, v_run.watched_until);
  return json_build_object('control', v_run.control, 'status', v_run.status, 'seq', v_seq, 'applied', true);
end $$;

-- Ends the wait of an approval without a decision: `timed_out` or `cancelled`. Only a waiting one changes.
-- Returns null for an unknown approval, else its outcome: whoever came first has won.
create function af_settle_approval(p_approval uuid, p_status text) returns json language plpgsql as $$
declare
  v_run record;
  v_row approvals;
  v_seq bigint;
begin
  select r.id, r.owner_id, r.status, r.seq, r.watched_until into v_run from runs r
    where r.id = (select run_id from approvals where id = p_approval) for no key update;
  if not found then
    return null;
  end if;
  update approvals set status = p_status, decided_at = clock_timestamp()
    where id = p_approval and status = 'waiting' returning * into v_row;
  if not found then
    select * into v_row from approvals where id = p_approval;
  elsif not af_closed(v_run.status) then
    v_seq := af_append(v_run.id, v_run.owner_id, v_run.seq, json_build_array(af_decided_event(v_row, 'timer')));
    perform af_touch(v_run.id, v_run.seq, v_seq, null, v_run.watched_until);
  end if;
  return af_approval_outcome(v_row);
end $$;

-- Settles a received decision: `counted`, or `refused` with a code. The first settlement stays for ever.
-- p_refuse: code of a rule that the caller checked (rights, edits). p_approved_digest: digest after edits.
-- Returns null for an unknown decision, else {state, code, first, approval}; first = settled by this very call.
create function af_count_decision(p_approval uuid, p_decision uuid, p_refuse text, p_approved_digest text) returns json
language plpgsql as $$
declare
  v_run record;
  v_row approvals;
  v_decision approval_decisions;
  v_code text;
  v_seq bigint;
begin
  select r.id, r.owner_id, r.status, r.seq, r.control, r.watched_until into v_run from runs r
    where r.id = (select run_id from approvals where id = p_approval) for no key update;
  select * into v_row from approvals where id = p_approval for no key update;
  select * into v_decision from approval_decisions where approval_id = p_approval and decision_id = p_decision for update;
  if not found then
    return null;
  end if;
  if v_decision.state <> 'received' then
    return json_build_object('state', v_decision.state, 'code', v_decision.code, 'first', false,
      'approval', af_approval_outcome(v_row));
  end if;
  v_code := case
    -- What a person decided stays the reason, also when the run has ended since.
    when v_row.status in ('approved', 'rejected', 'auto_approved') then 'approval_already_decided'
    when af_closed(v_run.status) or v_run.control = 'cancel' then 'run_closed'
    when v_row.status <> 'waiting' then 'approval_already_decided'
    when v_decision.digest is not null and v_decision.digest is distinct from v_row.digest then 'digest_mismatch'
    else p_refuse
  end;
  update approval_decisions set state = case when v_code is null then 'counted' else 'refused' end, code = v_code,
    settled_at = clock_timestamp()
    where approval_id = p_approval and decision_id = p_decision returning * into v_decision;
  if v_code is null then
    update approvals set status = case v_decision.decision when 'approve' then 'approved' else 'rejected' end,
      decided_at = v_decision.settled_at, decided_by = v_decision.actor, decision_id = p_decision,
      instructions = v_decision.instructions, edits = v_decision.edits,
      approved_digest = case v_decision.decision when 'approve' then coalesce(p_approved_digest, digest) end
      where id = p_approval returning * into v_row;
    v_seq := af_append(v_run.id, v_run.owner_id, v_run.seq, json_build_array(af_decided_event(v_row, v_decision.via)));
    perform af_touch(v_run.id, v_run.seq, v_seq, null, v_run.watched_until);
  end if;
  perform af_log_decision(v_decision.owner_id, json_build_object('at', v_decision.settled_at, 'run', v_decision.run_id,
    'approval', p_approval, 'step_path', v_row.step_path, 'decision_id', p_decision, 'actor', v_decision.actor,
    'via', v_decision.via, 'decision', v_decision.decision, 'state', v_decision.state, 'code', v_code,
    'instructions', v_decision.instructions, 'edits', v_decision.edits, 'digest', v_decision.digest)::text);
  return json_build_object('state', v_decision.state, 'code', v_code, 'first', true, 'approval', af_approval_outcome(v_row));
end $$;

-- Closes a run, once: waiting approvals are cancelled, p_events (last: `complete`) appended, the journal written.
-- p_journal {id, summary, detail_entries, entities_mentioned, outputs_produced, entities_discovered}
-- Returns null for an unknown run, else {status, closed, seq}; closed = this call closed it.
create function af_finish(p_run uuid, p_status text, p_code text, p_message text, p_events json, p_patch json, p_result json,
  p_summary text, p_routing_report json, p_journal json) returns json language plpgsql as $$
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
