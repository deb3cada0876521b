-- A decision by an API key counts with what the key has, not with what its owner has; links decide under an id of their own.
set local role af_migrate;

-- The key that a decision came by.
alter table approval_decisions add column key_id uuid references api_keys (id);
-- Whoever sees the request sees the link's id: under that anybody who may decide could be first.
alter table approval_links add column decision_id uuid not null default gen_random_uuid();

-- `covers` of core/permissions/scopes.ts: is p_scope no more than one of p_scopes?
create function af_covers(p_scopes text[], p_scope text) returns boolean language sql immutable as $$
  select exists (select from unnest(p_scopes) s
    where split_part(s, ':', 1) = split_part(p_scope, ':', 1)
      and array_position(array['reader', 'editor', 'analyst', 'admin'], split_part(s, ':', 2))
        >= array_position(array['reader', 'editor', 'analyst', 'admin'], split_part(p_scope, ':', 2)))
$$;

-- Scopes of a call: those of the key that its owner still has.
create function af_scopes_of(p_user uuid, p_key uuid) returns setof text language plpgsql stable as $$
begin
  if p_key is null then
    return query select unnest(u.scopes) from users u where u.id = p_user;
  else
    return query select s from users u
      join api_keys k on k.id = p_key and k.owner_id = u.id
      cross join lateral unnest(coalesce(k.scopes, u.scopes)) s
      where u.id = p_user and (k.scopes is null or af_covers(u.scopes, s));
  end if;
end $$;

drop function af_subjects(uuid, boolean);
create function af_subjects(p_user uuid, p_deciding boolean, p_key uuid default null) returns setof text
language plpgsql as $$
begin
  return query
    select 'user:' || p_user
    union all
    select 'team:' || m.team_id from team_members m join teams t on t.id = m.team_id
      where m.user_id = p_user and t.deleted_at is null and not (p_deciding and m.role = 'viewer')
    union all
    select 'scope:' || scope from af_scopes_of(p_user, p_key) as scope;
end $$;

drop function af_has_right(approvals, uuid, boolean);
create function af_has_right(p_approval approvals, p_user uuid, p_deciding boolean, p_key uuid default null)
returns boolean language plpgsql as $$
begin
  return coalesce(not p_approval.named and p_user = p_approval.owner_id, false) or exists (
    select from approval_approvers r where r.approval_id = p_approval.id
      and (r.source = 'named' or r.source = 'escalation' and p_approval.escalated_at is not null)
      and r.subject in (select af_subjects(p_user, p_deciding, p_key)));
end $$;

drop function af_decider(approvals, uuid);
create function af_decider(p_approval approvals, p_user uuid, p_key uuid default null, out code text, out acting_for uuid)
language plpgsql as $$
begin
  if not af_active_user(p_user) then
    code := 'user_deactivated';
  elsif af_excluded(p_approval, p_user) then
    code := 'four_eyes';
  elsif af_has_right(p_approval, p_user, true, p_key) then
    if exists (select from approval_approvers r
        where r.approval_id = p_approval.id and r.source = 'delegation' and af_person(r.granted_by) = af_person(p_user)) then
      code := 'delegated_away';
    end if;
  else
    select r.granted_by into acting_for from approval_approvers r
      where r.approval_id = p_approval.id and r.source = 'delegation' and r.subject = 'user:' || p_user
        and af_active_user(r.granted_by) and af_has_right(p_approval, r.granted_by, true)
        and not af_excluded(p_approval, r.granted_by)
      order by r.granted_by limit 1;
    if acting_for is null then
      code := 'not_allowed';
    end if;
  end if;
end $$;

drop function app_decider(uuid);
create function app_decider(p_approval uuid, p_key uuid default null) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_row approvals;
begin
  select * into v_row from approvals where id = p_approval;
  return (af_decider(v_row, app_uid(), p_key)).code;
end $$;
grant execute on function app_decider(uuid, uuid) to af_app;

-- As before; a key that ended, or may not decide any more, counts for nothing.
create or replace function af_refuses(p_approval approvals, p_decision approval_decisions) returns text language plpgsql as $$
declare
  v_code text;
begin
  if p_decision.via = 'signal' then
    v_code := case when p_approval.named or p_approval.four_eyes or p_approval.quorum > 1 then 'signal_not_allowed' end;
  else
    v_code := (af_decider(p_approval, p_decision.actor_id, p_decision.key_id)).code;
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
    and (d.actor_id is null or (af_decider(p_approval, d.actor_id, d.key_id)).code is null));
end $$;

-- As before, by the rights of the key.
create or replace function af_count_decision(p_approval uuid, p_decision uuid, p_refuse text, p_approved_digest text)
returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
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
    v_for := (af_decider(v_row, v_decision.actor_id, v_decision.key_id)).acting_for;
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

-- As before, with the key that it came by.
drop function af_receive_decision(uuid, uuid, uuid, text, text, text, text, json, text);
create function af_receive_decision(p_owner uuid, p_approval uuid, p_decision uuid, p_actor text, p_via text,
  p_answer text, p_instructions text, p_edits json, p_digest text, p_key uuid default null) returns setof approval_decisions
language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query
    insert into approval_decisions (approval_id, decision_id, run_id, owner_id, actor, actor_id, via, decision, instructions,
      edits, digest, key_id)
    select a.id, p_decision, a.run_id, a.owner_id, p_actor, case when p_via <> 'signal' then p_owner end, p_via, p_answer,
        p_instructions, p_edits, case when p_via = 'signal' then af_shown_digest(a) else p_digest end, p_key
      from approvals a where a.id = p_approval and (a.owner_id = p_owner or af_sees_approval(a.id, p_owner))
    on conflict do nothing returning *;
end $$;
grant execute on function af_receive_decision(uuid, uuid, uuid, text, text, text, text, json, text, uuid) to af_login;

create or replace function af_use_approval_link(p_hash text, p_user uuid, p_answer text, p_instructions text, out code text,
  out decision_id uuid, out approval_id uuid, out user_id uuid) language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_link approval_links;
  v_row approvals;
begin
  select * into v_link from approval_links l where l.token_hash = p_hash for update;
  select * into v_row from approvals a where a.id = v_link.approval_id;
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

reset role;
