set local role af_migrate;
drop policy approvals_approver on approvals;
drop policy approval_decisions_approver on approval_decisions;
delete from notifications where approval_id is not null;
drop table approval_links;
drop table approval_acts;
drop table approval_approvers;
do $$
declare
  v record;
begin
  for v in select p.oid::regprocedure as name from pg_proc p where p.pronamespace = 'public'::regnamespace
    and p.proname in ('af_uuid', 'af_find_user', 'af_active_user', 'af_person', 'af_excluded', 'af_subjects', 'af_people_of', 'af_notify_approvers', 'af_has_right', 'af_decider',
      'af_sees_approval', 'app_sees_approval', 'app_decider', 'af_add_approvers', 'af_set_rules', 'af_shown_digest', 'af_over',
      'af_refuses', 'af_votes', 'app_asked_approvals', 'af_take_approval', 'af_act', 'app_edit_approval',
      'app_delegate_approval', 'app_comment_approval', 'af_nudge_approval', 'app_create_approval_link', 'af_approval_link',
      'af_use_approval_link', 'app_people', 'app_approvers')
  loop
    execute format('drop function %s', v.name);
  end loop;
end $$;
drop index approvals_owner_requested;
alter table approval_decisions drop column actor_id, drop column acting_for, drop column superseded_at;
alter table approvals drop column quorum, drop column four_eyes, drop column link_only, drop column named,
  drop column unknown_approvers, drop column edited_digest, drop column edited_by, drop column edited_at,
  drop column reminded_at, drop column escalated_at;

-- As in 0003 and 0012.
create or replace function af_open_approvals(p_run uuid, p_owner uuid, p_approvals json) returns void language plpgsql as $$
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

create or replace function af_count_decision(p_approval uuid, p_decision uuid, p_refuse text, p_approved_digest text) returns json
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

create or replace function af_approval(p_owner uuid, p_approval uuid) returns setof approvals language plpgsql stable rows 1 as $$
begin
  return query select * from approvals where id = p_approval and owner_id = p_owner;
end $$;

create or replace function af_decision(p_owner uuid, p_approval uuid, p_decision uuid) returns setof approval_decisions
language plpgsql stable rows 1 as $$
begin
  return query select * from approval_decisions
    where approval_id = p_approval and decision_id = p_decision and owner_id = p_owner;
end $$;

create or replace function af_receive_decision(p_owner uuid, p_approval uuid, p_decision uuid, p_actor text, p_via text, p_answer text,
  p_instructions text, p_edits json, p_digest text) returns setof approval_decisions language plpgsql rows 1 as $$
begin
  return query
    insert into approval_decisions (approval_id, decision_id, run_id, owner_id, actor, via, decision, instructions, edits,
      digest)
    select a.id, p_decision, a.run_id, a.owner_id, p_actor, p_via, p_answer, p_instructions, p_edits, p_digest
      from approvals a where a.id = p_approval and a.owner_id = p_owner
    on conflict do nothing returning *;
end $$;

do $$
declare
  v record;
begin
  for v in select p.oid::regprocedure as name from pg_proc p where p.pronamespace = 'public'::regnamespace
    and p.proname in ('af_count_decision', 'af_approval', 'af_decision', 'af_receive_decision')
  loop
    execute format('alter function %s security definer', v.name);
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', v.name);
  end loop;
end $$;
reset role;
