-- Whoever approved may reject as long as the request waits: a no stops at once whoever says it, and an error seen in time is stopped.
-- Reasons: docs/decisions/0028.
set local role af_migrate;

-- As before; one voice is counted once, but a no after a yes is another thing than a second yes.
create or replace function af_refuses(p_approval approvals, p_decision approval_decisions) returns text language plpgsql as $$
declare
  v_code text;
begin
  if p_decision.via = 'signal' then
    v_code := case when p_approval.named or p_approval.four_eyes or p_approval.quorum > 1 then 'signal_not_allowed' end;
  else
    v_code := (af_decider(p_approval, p_decision.actor_id, p_decision.key_id, p_decision.created_at)).code;
  end if;
  return case
    when v_code is not null then v_code
    when p_decision.key_id is not null and not exists (select from api_keys k
      where k.id = p_decision.key_id and k.owner_id = p_decision.actor_id and k.may_decide and not k.read_only
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > p_decision.created_at)) then 'not_allowed'
    when p_decision.digest is distinct from af_shown_digest(p_approval) then 'approval_changed'
    when p_decision.edits is not null
      and (p_approval.quorum > 1 or p_approval.four_eyes or p_approval.edited_digest is not null) then 'edit_first'
    when p_decision.decision = 'approve' and exists (select from approval_decisions d where d.approval_id = p_approval.id
      and af_person(d.actor_id) = af_person(p_decision.actor_id)
      and d.state = 'counted' and d.superseded_at is null) then 'already_approved'
  end;
end $$;

-- As before; who rejects after all has not approved.
create or replace function af_count_decision(p_approval uuid, p_decision uuid, p_refuse text, p_approved_digest text)
returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run record;
  v_row approvals;
  v_decision approval_decisions;
  v_code text;
  v_for uuid;
  v_earlier json;
  v_votes bigint;
  v_event json;
  v_seq bigint;
begin
  select r.id, r.owner_id, r.status, r.seq, r.control, r.watched_until into v_run from runs r
    where r.id = (select run_id from approvals where id = p_approval) for no key update;
  select * into v_row from approvals where id = p_approval for update;
  select * into v_decision from approval_decisions where approval_id = p_approval and decision_id = p_decision for update;
  if not found then
    return null;
  end if;
  if v_decision.state <> 'received' then
    return json_build_object('state', v_decision.state, 'code', v_decision.code, 'first', false,
      'approval', af_approval_outcome(v_row));
  end if;
  v_code := coalesce(af_over(v_row, v_run.status, v_run.control, v_decision.created_at), af_refuses(v_row, v_decision), p_refuse);
  if v_code is null then
    select json_agg(e.decision_id order by e.created_at, e.decision_id) into v_earlier from approval_decisions e
      where e.approval_id = p_approval and e.state = 'received'
        and (e.created_at, e.decision_id) < (v_decision.created_at, v_decision.decision_id);
    if v_earlier is not null then
      return json_build_object('state', 'received', 'code', null, 'first', false, 'earlier', v_earlier,
        'approval', af_approval_outcome(v_row));
    end if;
  end if;
  if v_code is null and v_decision.actor_id is not null then
    v_for := (af_decider(v_row, v_decision.actor_id, v_decision.key_id, v_decision.created_at)).acting_for;
  end if;
  update approval_decisions set state = case when v_code is null then 'counted' else 'refused' end, code = v_code,
    acting_for = v_for, settled_at = clock_timestamp()
    where approval_id = p_approval and decision_id = p_decision returning * into v_decision;
  if v_code is null then
    if v_decision.decision = 'reject' then
      update approval_decisions set superseded_at = v_decision.settled_at
        where approval_id = p_approval and state = 'counted' and decision = 'approve' and superseded_at is null
          and af_person(actor_id) = af_person(v_decision.actor_id);
    end if;
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

-- As before; who approved may reject.
create or replace function app_approval_acts(p_approval uuid, p_key uuid default null) returns text[] language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_row approvals;
  v_over text;
  -- Why they may not decide; by the key, whose rights may be fewer.
  v_code text;
  v_key_code text;
  v_reached boolean;
  v_answered boolean;
  v_answered_for boolean;
begin
  select * into v_row from approvals where id = p_approval;
  if v_row.id is null or not af_sees_approval(p_approval, app_uid()) then
    return '{}';
  end if;
  select af_over(v_row, r.status, r.control) into v_over from runs r where r.id = v_row.run_id;
  if v_over is not null then
    return '{}';
  end if;
  v_code := (af_decider(v_row, app_uid())).code;
  v_key_code := case when p_key is null then v_code else (af_decider(v_row, app_uid(), p_key)).code end;
  v_reached := v_key_code is null or v_key_code is not distinct from v_code;
  select coalesce(bool_or(af_person(d.actor_id) = af_person(app_uid())), false),
      coalesce(bool_or(af_person(app_uid()) in (af_person(d.actor_id), af_person(d.acting_for))), false)
    into v_answered, v_answered_for from approval_decisions d
    where d.approval_id = p_approval and d.state = 'counted' and d.superseded_at is null;
  return array_remove(array[
    case when v_key_code is null and not v_answered then 'approve' end,
    case when v_key_code is null then 'reject' end,
    case when v_row.owner_id = app_uid() or coalesce(v_code = 'four_eyes', true) and v_reached then 'edit' end,
    case when af_has_right(v_row, app_uid(), true) and coalesce(v_code = 'delegated_away', true) and v_reached
      and not v_answered_for then 'delegate' end,
    'comment'], null);
end $$;

reset role;
