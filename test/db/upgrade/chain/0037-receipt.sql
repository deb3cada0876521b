-- Time limits are judged by receipt: by the moment at which the database took an act in, not by the one at which a run hears of it.
-- Reasons: docs/decisions/0019. Locks as in 0002. Whoever receives locks the request FOR KEY SHARE before the clock is read, and whoever
-- counts or ends it FOR UPDATE: what was received earlier is seen, or comes later.
set local role af_migrate;

-- Absolute, as `due_at`: known when the request opens, whether or not anybody is there to act at that moment.
alter table approvals
  add column remind_at timestamptz,
  add column escalate_at timestamptz;

-- ── who may, and when ───────────────────────────────────────────────────────────────────────────
-- As before, of an act that was received at p_at.
drop function af_over(approvals, text, text);
create function af_over(p_approval approvals, p_status text, p_control text,
  p_at timestamptz default clock_timestamp()) returns text language sql immutable as $$
  select case
    when p_approval.status in ('approved', 'rejected', 'auto_approved') then 'approval_already_decided'
    when p_approval.status in ('waiting', 'timed_out') and p_approval.due_at <= p_at then 'approval_due_passed'
    when af_closed(p_status) or p_control = 'cancel' then 'run_closed'
    when p_approval.status <> 'waiting' then 'approval_already_decided'
  end
$$;

-- To whom people had handed their right at p_at. What was taken back names oneself.
create function af_delegations(p_approval uuid, p_at timestamptz) returns table (granted_by uuid, delegate uuid)
language plpgsql stable as $$
begin
  return query
    select d.actor_id, d.to_user from (
      select distinct on (af_person(t.actor_id)) t.actor_id, af_uuid(t.body ->> 'user_id') as to_user from approval_acts t
        where t.approval_id = p_approval and t.kind = 'delegated' and t.at <= p_at
        order by af_person(t.actor_id), t.at desc, t.id desc) d
    where d.to_user <> d.actor_id;
end $$;

-- As before; an escalation holds from its moment on, also when nobody was there to tell of it.
drop function af_has_right(approvals, uuid, boolean, uuid);
create function af_has_right(p_approval approvals, p_user uuid, p_deciding boolean, p_key uuid default null,
  p_at timestamptz default clock_timestamp())
returns boolean language plpgsql as $$
begin
  return coalesce(not p_approval.named and p_user = p_approval.owner_id, false) or exists (
    select from approval_approvers r where r.approval_id = p_approval.id
      and (r.source = 'named' or r.source = 'escalation' and least(p_approval.escalate_at, p_approval.escalated_at) <= p_at)
      and r.subject in (select af_subjects(p_user, p_deciding, p_key)));
end $$;

-- As before, at p_at: who was an approver, and who had delegated to whom. Accounts, roles and keys that are gone count for nothing
-- whenever that is asked.
drop function af_decider(approvals, uuid, uuid);
create function af_decider(p_approval approvals, p_user uuid, p_key uuid default null,
  p_at timestamptz default clock_timestamp(), out code text, out acting_for uuid)
language plpgsql as $$
begin
  if not af_active_user(p_user) then
    code := 'user_deactivated';
  elsif af_excluded(p_approval, p_user) then
    code := 'four_eyes';
  elsif af_has_right(p_approval, p_user, true, p_key, p_at) then
    if exists (select from af_delegations(p_approval.id, p_at) r where af_person(r.granted_by) = af_person(p_user)) then
      code := 'delegated_away';
    end if;
  else
    select r.granted_by into acting_for from af_delegations(p_approval.id, p_at) r
      where r.delegate = p_user
        and af_active_user(r.granted_by) and af_has_right(p_approval, r.granted_by, true, null, p_at)
        and not af_excluded(p_approval, r.granted_by)
      order by r.granted_by limit 1;
    if acting_for is null then
      code := 'not_allowed';
    end if;
  end if;
end $$;

-- As before; nobody may any more when the time is over.
create or replace function app_decider(p_approval uuid, p_key uuid default null) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_row approvals;
begin
  select * into v_row from approvals where id = p_approval;
  return coalesce((af_decider(v_row, app_uid(), p_key)).code,
    case when v_row.status = 'waiting' and v_row.due_at <= clock_timestamp() then 'approval_due_passed' end);
end $$;

-- As before, by what held when the decision was received.
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
    when exists (select from approval_decisions d where d.approval_id = p_approval.id
      and af_person(d.actor_id) = af_person(p_decision.actor_id)
      and d.state = 'counted' and d.superseded_at is null) then 'already_approved'
  end;
end $$;

create or replace function af_votes(p_approval approvals) returns bigint language plpgsql as $$
begin
  return (select count(*) from approval_decisions d where d.approval_id = p_approval.id and d.state = 'counted'
    and d.superseded_at is null and d.decision = 'approve'
    and (d.actor_id is null or (af_decider(p_approval, d.actor_id, d.key_id, d.created_at)).code is null));
end $$;

-- As before, by the time of receipt; and what was received earlier is counted earlier: until then the answer is `received`, and
-- `earlier` names those decisions.
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
-- As before, behind the lock that orders it against the end of the request.
create or replace function af_receive_decision(p_owner uuid, p_approval uuid, p_decision uuid, p_actor text, p_via text,
  p_answer text, p_instructions text, p_edits json, p_digest text, p_key uuid default null) returns setof approval_decisions
language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from approvals where id = p_approval for key share;
  return query
    insert into approval_decisions (approval_id, decision_id, run_id, owner_id, actor, actor_id, via, decision, instructions,
      edits, digest, key_id)
    select a.id, p_decision, a.run_id, a.owner_id, p_actor, case when p_via <> 'signal' then p_owner end, p_via, p_answer,
        p_instructions, p_edits, case when p_via = 'signal' then af_shown_digest(a) else p_digest end, p_key
      from approvals a where a.id = p_approval and (a.owner_id = p_owner or af_sees_approval(a.id, p_owner))
    on conflict do nothing returning *;
end $$;

-- As before; a link ends with the time of its request, and is not used up by coming too late.
create or replace function af_use_approval_link(p_hash text, p_user uuid, p_answer text, p_instructions text, out code text,
  out decision_id uuid, out approval_id uuid, out user_id uuid) language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_link approval_links;
  v_row approvals;
begin
  select * into v_link from approval_links l where l.token_hash = p_hash for update;
  select * into v_row from approvals a where a.id = v_link.approval_id for key share;
  decision_id := v_link.decision_id;
  approval_id := v_link.approval_id;
  user_id := v_link.user_id;
  if v_link.id is null or not af_active_user(v_link.user_id) then
    code := 'link_not_found';
  elsif p_user is null and not (v_row.link_only and v_link.created_by = v_link.user_id) then
    code := 'sign_in_first';
  elsif p_user <> v_link.user_id then
    code := 'link_of_another';
  elsif v_link.used_at is not null then
    code := 'link_used';
  elsif v_row.status in ('waiting', 'timed_out') and v_row.due_at <= clock_timestamp() then
    code := 'approval_due_passed';
  elsif v_row.status <> 'waiting' then
    code := 'approval_already_decided';
  else
    update approval_links l set used_at = clock_timestamp() where l.id = v_link.id;
    insert into approval_decisions (approval_id, decision_id, run_id, owner_id, actor, actor_id, via, decision, instructions,
      digest)
    select v_row.id, v_link.decision_id, v_row.run_id, v_row.owner_id, u.handle, u.id, 'link', p_answer, p_instructions,
        v_link.digest
      from users u where u.id = v_link.user_id;
  end if;
end $$;

-- As before, with the moments of its reminder and its escalation.
create or replace function af_open_approvals(p_run uuid, p_owner uuid, p_approvals json) returns void language plpgsql as $$
declare
  v_row approvals;
  v_policy json;
begin
  for v_row in
    insert into approvals (id, run_id, owner_id, step_path, step_name, status, prompt, preview, preview_total, action, digest,
      edit_schema, on_reject, on_timeout, due_at, remind_at, escalate_at, decided_at, decided_by, decision_id, approved_digest)
    select a.id, p_run, p_owner, a.step_path, a.step_name, a.status, a.prompt, a.preview::json, a.preview_total,
      a.action::json, a.digest, a.edit_schema::json, a.on_reject, a.on_timeout, a.due_at, a.remind_at,
      a.escalate_at,
      case when a.status = 'auto_approved' then clock_timestamp() end,
      case when a.status = 'auto_approved' then 'policy' end,
      case when a.status = 'auto_approved' then gen_random_uuid() end,
      case when a.status = 'auto_approved' then a.digest end
    from json_to_recordset(p_approvals) as a (id uuid, step_path text, step_name text, status text, prompt text, preview text,
      preview_total integer, action text, digest text, edit_schema text, on_reject text, on_timeout text, due_at timestamptz,
      remind_at timestamptz, escalate_at timestamptz)
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
    else
      select a.policy::json into v_policy from json_to_recordset(p_approvals) as a (id uuid, policy text)
        where a.id = v_row.id;
      if v_policy is not null then
        perform af_set_rules(v_row, v_policy);
      end if;
    end if;
  end loop;
end $$;

-- As before, by the moment of the escalation.
create or replace function app_asked_approvals(p_status text[], p_run uuid, p_descending boolean, p_at timestamptz, p_id uuid,
  p_limit integer) returns setof uuid language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if p_descending then
    return query
      select s.id from af_subjects(app_uid(), false) as mine (subject)
        cross join lateral (select a.id from approval_approvers r join approvals a on a.id = r.approval_id
          where r.subject = mine.subject and (r.source <> 'escalation' or least(a.escalate_at, a.escalated_at) <= clock_timestamp())
            and (p_status is null or a.status = any(p_status)) and (p_run is null or a.run_id = p_run)
            and (r.requested_at, r.approval_id)
              < (coalesce(p_at, 'infinity'), coalesce(p_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
          order by r.requested_at desc, r.approval_id desc limit p_limit) s;
  else
    return query
      select s.id from af_subjects(app_uid(), false) as mine (subject)
        cross join lateral (select a.id from approval_approvers r join approvals a on a.id = r.approval_id
          where r.subject = mine.subject and (r.source <> 'escalation' or least(a.escalate_at, a.escalated_at) <= clock_timestamp())
            and (p_status is null or a.status = any(p_status)) and (p_run is null or a.run_id = p_run)
            and (r.requested_at, r.approval_id)
              > (coalesce(p_at, '-infinity'), coalesce(p_id, '00000000-0000-0000-0000-000000000000'))
          order by r.requested_at, r.approval_id limit p_limit) s;
  end if;
end $$;

-- ── the end of the time ─────────────────────────────────────────────────────────────────────────
-- A request's timer fired. Null for an unknown request, else {outcome}:
--   timed_out  nobody decided in time; the request says so since its `due_at`
--   decided    it does not wait any more; `decisionId` names the decision, if it was one
--   received   decisions came in in time that nobody counted yet: `decisions`, first come first; they are counted, then it is asked again
--   early      by the database's clock there are `ms` milliseconds left
--   cancelled  somebody cancelled the run before its timer was heard
create function af_expire_approval(p_approval uuid) returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run record;
  v_row approvals;
  v_received json;
  v_seq bigint;
begin
  select r.id, r.owner_id, r.status, r.seq, r.control, r.watched_until into v_run from runs r
    where r.id = (select run_id from approvals where id = p_approval) for no key update;
  select * into v_row from approvals where id = p_approval for update;
  if v_row.id is null then
    return null;
  elsif v_row.status = 'timed_out' then
    return json_build_object('outcome', 'timed_out');
  elsif v_row.status <> 'waiting' or af_closed(v_run.status) then
    return json_build_object('outcome', 'decided', 'decisionId', v_row.decision_id);
  elsif v_run.control = 'cancel' then
    return json_build_object('outcome', 'cancelled');
  elsif v_row.due_at > clock_timestamp() then
    return json_build_object('outcome', 'early',
      'ms', ceil(extract(epoch from v_row.due_at - clock_timestamp()) * 1000)::bigint);
  end if;
  select json_agg(d.decision_id order by d.created_at, d.decision_id) into v_received from approval_decisions d
    where d.approval_id = p_approval and d.state = 'received' and d.created_at < coalesce(v_row.due_at, 'infinity');
  if v_received is not null then
    return json_build_object('outcome', 'received', 'decisions', v_received);
  end if;
  update approvals set status = 'timed_out', decided_at = coalesce(due_at, clock_timestamp())
    where id = p_approval returning * into v_row;
  v_seq := af_append(v_run.id, v_run.owner_id, v_run.seq, json_build_array(af_decided_event(v_row, 'timer')));
  perform af_touch(v_run.id, v_run.seq, v_seq, null, v_run.watched_until);
  return json_build_object('outcome', 'timed_out');
end $$;
grant execute on function af_expire_approval(uuid) to af_login;

reset role;
