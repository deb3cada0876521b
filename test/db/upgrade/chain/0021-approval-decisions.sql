-- Decisions under the rules of 0021-approval-rules.sql.
set local role af_migrate;

-- The action with all edits so far: what a decision has to name.
create function af_shown_digest(p_approval approvals) returns text language sql immutable as $$
  select coalesce(p_approval.edited_digest, p_approval.digest)
$$;

-- Why nothing can be decided any more; null: it waits. What a person decided stays the reason when the run ended since.
create function af_over(p_approval approvals, p_status text, p_control text) returns text language sql immutable as $$
  select case
    when p_approval.status in ('approved', 'rejected', 'auto_approved') then 'approval_already_decided'
    when af_closed(p_status) or p_control = 'cancel' then 'run_closed'
    when p_approval.status <> 'waiting' then 'approval_already_decided'
  end
$$;

-- Why a decision cannot count; null: it can. A signal is nobody: it stands for a single decision that asks for nobody in
-- particular.
create function af_refuses(p_approval approvals, p_decision approval_decisions) returns text language plpgsql as $$
declare
  v_code text;
begin
  if p_decision.via = 'signal' then
    v_code := case when p_approval.named or p_approval.four_eyes or p_approval.quorum > 1 then 'signal_not_allowed' end;
  else
    v_code := (af_decider(p_approval, p_decision.actor_id)).code;
  end if;
  return case
    when v_code is not null then v_code
    when p_decision.digest is distinct from af_shown_digest(p_approval) then 'approval_changed'
    when p_decision.edits is not null
      and (p_approval.quorum > 1 or p_approval.four_eyes or p_approval.edited_digest is not null) then 'edit_first'
    when exists (select from approval_decisions d where d.approval_id = p_approval.id
      and af_person(d.actor_id) = af_person(p_decision.actor_id)
      and d.state = 'counted' and d.superseded_at is null) then 'already_approved'
  end;
end $$;

-- Approvals of the action as it is shown now, by people who still may.
create function af_votes(p_approval approvals) returns bigint language plpgsql as $$
begin
  return (select count(*) from approval_decisions d where d.approval_id = p_approval.id and d.state = 'counted'
    and d.superseded_at is null and d.decision = 'approve'
    and (d.actor_id is null or (af_decider(p_approval, d.actor_id)).code is null));
end $$;

-- As in 0003. A single rejection decides; approvals are collected until the quorum is reached, and only the one that reaches
-- it decides. The outcome's `decisionId` says which decision that was.
create or replace function af_count_decision(p_approval uuid, p_decision uuid, p_refuse text, p_approved_digest text)
returns json language plpgsql as $$
declare
  v_run record;
  v_row approvals;
  v_decision approval_decisions;
  v_code text;
  v_for uuid;
  v_votes bigint;
  v_event json;
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
  v_code := coalesce(af_over(v_row, v_run.status, v_run.control), af_refuses(v_row, v_decision), p_refuse);
  if v_code is null and v_decision.actor_id is not null then
    v_for := (af_decider(v_row, v_decision.actor_id)).acting_for;
  end if;
  update approval_decisions set state = case when v_code is null then 'counted' else 'refused' end, code = v_code,
    acting_for = v_for, settled_at = clock_timestamp()
    where approval_id = p_approval and decision_id = p_decision returning * into v_decision;
  if v_code is null then
    v_votes := af_votes(v_row);
    if v_decision.decision = 'reject' or v_votes >= v_row.quorum then
      update approvals set status = case v_decision.decision when 'approve' then 'approved' else 'rejected' end,
        decided_at = v_decision.settled_at, decided_by = v_decision.actor, decision_id = p_decision,
        instructions = v_decision.instructions, edits = coalesce(v_decision.edits, edits),
        approved_digest = case v_decision.decision
          when 'approve' then coalesce(p_approved_digest, af_shown_digest(v_row)) end
        where id = p_approval returning * into v_row;
      v_event := af_decided_event(v_row, v_decision.via);
    else
      v_event := json_build_object('id', 'approval:' || p_approval || ':counted:' || p_decision, 'type', 'approval.counted',
        'step_path', v_row.step_path, 'payload', json_build_object('approvalId', p_approval, 'step', v_row.step_name,
          'decisionId', p_decision, 'decided_by', v_decision.actor, 'via', v_decision.via, 'approvals', v_votes,
          'quorum', v_row.quorum)::text);
    end if;
    v_seq := af_append(v_run.id, v_run.owner_id, v_run.seq, json_build_array(v_event));
    perform af_touch(v_run.id, v_run.seq, v_seq, null, v_run.watched_until);
  end if;
  perform af_log_decision(v_decision.owner_id, json_build_object('at', v_decision.settled_at, 'run', v_decision.run_id,
    'approval', p_approval, 'step_path', v_row.step_path, 'decision_id', p_decision, 'actor', v_decision.actor,
    'actor_id', v_decision.actor_id, 'acting_for', v_for, 'via', v_decision.via, 'decision', v_decision.decision,
    'state', v_decision.state, 'code', v_code, 'instructions', v_decision.instructions, 'edits', v_decision.edits,
    'digest', v_decision.digest)::text);
  return json_build_object('state', v_decision.state, 'code', v_code, 'first', true, 'approval', af_approval_outcome(v_row));
end $$;

-- ── coming in ───────────────────────────────────────────────────────────────────────────────────
-- p_owner: who asks. He sees his own, and what he was asked.
create or replace function af_approval(p_owner uuid, p_approval uuid) returns setof approvals
language plpgsql stable rows 1 as $$
begin
  return query select * from approvals a
    where a.id = p_approval and (a.owner_id = p_owner or af_sees_approval(a.id, p_owner));
end $$;

create or replace function af_decision(p_owner uuid, p_approval uuid, p_decision uuid) returns setof approval_decisions
language plpgsql stable rows 1 as $$
begin
  return query select * from approval_decisions d
    where d.approval_id = p_approval and d.decision_id = p_decision and (d.owner_id = p_owner or d.actor_id = p_owner);
end $$;

-- As in 0012. A signal says nothing about what its sender saw: it is about what is shown as it arrives.
create or replace function af_receive_decision(p_owner uuid, p_approval uuid, p_decision uuid, p_actor text, p_via text,
  p_answer text, p_instructions text, p_edits json, p_digest text) returns setof approval_decisions
language plpgsql rows 1 as $$
begin
  return query
    insert into approval_decisions (approval_id, decision_id, run_id, owner_id, actor, actor_id, via, decision, instructions,
      edits, digest)
    select a.id, p_decision, a.run_id, a.owner_id, p_actor, case when p_via <> 'signal' then p_owner end, p_via, p_answer,
        p_instructions, p_edits, case when p_via = 'signal' then af_shown_digest(a) else p_digest end
      from approvals a where a.id = p_approval and (a.owner_id = p_owner or af_sees_approval(a.id, p_owner))
    on conflict do nothing returning *;
end $$;

-- Ids of what one was asked, along the index of each thing that one is; a page of a list that has one's own beside it.
create function app_asked_approvals(p_status text[], p_run uuid, p_descending boolean, p_at timestamptz, p_id uuid,
  p_limit integer) returns setof uuid language plpgsql as $$
declare
  v_order constant text := case when p_descending then 'desc' else 'asc' end;
begin
  return query execute format($sql$
    select s.id from af_subjects(app_uid(), false) as mine (subject)
      cross join lateral (select a.id from approval_approvers r join approvals a on a.id = r.approval_id
        where r.subject = mine.subject and (r.source <> 'escalation' or a.escalated_at is not null)
          and ($1 is null or a.status = any($1)) and ($2 is null or a.run_id = $2)
          and ($3 is null or (r.requested_at, r.approval_id) %s ($3, $4))
        order by r.requested_at %s, r.approval_id %s limit $5) s
    $sql$, case when p_descending then '<' else '>' end, v_order, v_order) using p_status, p_run, p_at, p_id, p_limit;
end $$;
