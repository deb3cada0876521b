-- What people and timers do to a waiting request beside deciding it. Each answers with a code, or `ok`.
set local role af_migrate;

-- Locks a request that somebody sees; the caller has checked nothing yet.
create function af_take_approval(p_approval uuid, p_user uuid, out code text, out approval approvals, out seq bigint,
  out watched timestamptz) language plpgsql as $$
declare
  v_run record;
begin
  select r.status, r.control, r.seq, r.watched_until into v_run from runs r
    where r.id = (select run_id from approvals where id = p_approval) for no key update;
  select * into approval from approvals where id = p_approval for no key update;
  seq := v_run.seq;
  watched := v_run.watched_until;
  code := case when not af_sees_approval(p_approval, p_user) then 'approval_not_found'
    else af_over(approval, v_run.status, v_run.control) end;
end $$;

-- The row, the run's event and the entry of the decision log. p_to: whom it is about.
create function af_act(p_approval approvals, p_seq bigint, p_watched timestamptz, p_kind text, p_actor uuid, p_to text,
  p_body json) returns void language plpgsql as $$
declare
  v_act approval_acts;
  v_seq bigint;
begin
  insert into approval_acts (id, approval_id, owner_id, kind, actor_id, actor, body, digest)
  values (gen_random_uuid(), p_approval.id, p_approval.owner_id, p_kind, p_actor,
    coalesce((select handle from users where id = p_actor), 'timer'), p_body, af_shown_digest(p_approval))
  returning * into v_act;
  v_seq := af_append(p_approval.run_id, p_approval.owner_id, p_seq, json_build_array(json_build_object(
    'id', 'approval:' || p_approval.id || ':' || p_kind || ':' || v_act.id, 'type', 'approval.' || p_kind,
    'step_path', p_approval.step_path, 'payload', json_strip_nulls(json_build_object('at', v_act.at,
      'approvalId', p_approval.id, 'step', p_approval.step_name, 'by', v_act.actor, 'to', p_to, 'digest', v_act.digest))::text)));
  perform af_touch(p_approval.run_id, p_seq, v_seq, null, p_watched);
  perform af_log_decision(p_approval.owner_id, json_build_object('at', v_act.at, 'run', p_approval.run_id,
    'approval', p_approval.id, 'step_path', p_approval.step_path, 'act', p_kind, 'act_id', v_act.id, 'actor', v_act.actor,
    'actor_id', p_actor, 'to', p_to, 'body', p_body, 'digest', v_act.digest)::text);
end $$;

-- Changes inputs of the action for everybody: p_edits (canonical JSON) stands in for all edits before. What was collected so
-- far was for another action. p_seen: the digest that the editor saw.
create function app_edit_approval(p_approval uuid, p_edits json, p_seen text) returns text language plpgsql as $$
declare
  v record;
  v_row approvals;
begin
  select * into v from af_take_approval(p_approval, app_uid());
  v_row := v.approval;
  if v.code is not null then
    return v.code;
  elsif v_row.owner_id <> app_uid() and (af_decider(v_row, app_uid())).code is not null
    and (af_decider(v_row, app_uid())).code <> 'four_eyes' then
    return (af_decider(v_row, app_uid())).code;
  elsif p_seen is distinct from af_shown_digest(v_row) then
    return 'approval_changed';
  end if;
  update approval_decisions set superseded_at = clock_timestamp()
    where approval_id = p_approval and state = 'counted' and superseded_at is null;
  update approvals set edits = p_edits, edited_by = app_uid(), edited_at = clock_timestamp(),
    edited_digest = encode(sha256(convert_to(digest || E'\n' || p_edits::text, 'UTF8')), 'hex')
    where id = p_approval returning * into v_row;
  perform af_act(v_row, v.seq, v.watched, 'edited', app_uid(), null, p_edits);
  return 'ok';
end $$;

-- Hands one's own right to another person; to oneself: takes it back. A right that was handed to one goes no further.
create function app_delegate_approval(p_approval uuid, p_to text) returns text language plpgsql as $$
declare
  v record;
  v_row approvals;
  v_to uuid := af_find_user(p_to);
  v_code text;
begin
  select * into v from af_take_approval(p_approval, app_uid());
  v_row := v.approval;
  if v.code is not null then
    return v.code;
  elsif not af_has_right(v_row, app_uid(), true) then
    return case when (af_decider(v_row, app_uid())).code is null then 'delegated_to_you' else 'not_allowed' end;
  end if;
  v_code := (af_decider(v_row, app_uid())).code;
  if v_code <> 'delegated_away' then
    return v_code;
  elsif v_to is null or not af_active_user(v_to) then
    return 'user_not_found';
  elsif v_to <> app_uid() and af_excluded(v_row, v_to) then
    return 'delegate_excluded';
  elsif exists (select from approval_decisions d where d.approval_id = p_approval and d.state = 'counted'
      and d.superseded_at is null and af_person(app_uid()) in (af_person(d.actor_id), af_person(d.acting_for))) then
    return 'already_approved';
  end if;
  delete from approval_approvers where approval_id = p_approval and source = 'delegation'
    and af_person(granted_by) = af_person(app_uid());
  if v_to <> app_uid() then
    insert into approval_approvers (approval_id, subject, source, granted_by, owner_id, requested_at)
    values (p_approval, 'user:' || v_to, 'delegation', app_uid(), v_row.owner_id, v_row.requested_at);
    insert into notifications (id, owner_id, kind, title, run_id, approval_id)
    values (gen_random_uuid(), v_to, 'approval.delegated', left(v_row.prompt, 200), v_row.run_id, p_approval);
  end if;
  perform af_act(v_row, v.seq, v.watched, 'delegated', app_uid(), (select handle from users where id = v_to),
    json_build_object('user_id', v_to));
  return 'ok';
end $$;

create function app_comment_approval(p_approval uuid, p_text text) returns text language plpgsql as $$
declare
  v record;
begin
  select * into v from af_take_approval(p_approval, app_uid());
  if v.code is not null then
    return v.code;
  end if;
  perform af_act(v.approval, v.seq, v.watched, 'commented', app_uid(), null, json_build_object('text', p_text));
  return 'ok';
end $$;

-- A timer fired: p_kind `reminded`, or `escalated`, which lets those decide whom the playbook named for that. Once each.
create function af_nudge_approval(p_approval uuid, p_kind text) returns boolean language plpgsql as $$
declare
  v record;
  v_row approvals;
begin
  select * into v from af_take_approval(p_approval, (select owner_id from approvals where id = p_approval));
  v_row := v.approval;
  if v.code is not null or p_kind = 'reminded' and v_row.reminded_at is not null
    or p_kind = 'escalated' and v_row.escalated_at is not null then
    return false;
  end if;
  if p_kind = 'reminded' then
    update approvals set reminded_at = clock_timestamp() where id = p_approval returning * into v_row;
  else
    update approvals set escalated_at = clock_timestamp() where id = p_approval returning * into v_row;
  end if;
  perform af_notify_approvers(v_row, 'approval.' || p_kind, case p_kind when 'reminded' then 'named' else 'escalation' end);
  perform af_act(v_row, v.seq, v.watched, p_kind, null, null,
    (select json_build_object('subjects', coalesce(json_agg(r.subject order by r.subject), '[]')) from approval_approvers r
      where r.approval_id = p_approval and r.source = case p_kind when 'reminded' then 'named' else 'escalation' end));
  return true;
end $$;

-- ── links ───────────────────────────────────────────────────────────────────────────────────────
-- For somebody who may decide, made by the run's owner or somebody who may hand on a right of his own.
create function app_create_approval_link(p_id uuid, p_approval uuid, p_user text, p_hash text) returns text
language plpgsql as $$
declare
  v record;
  v_row approvals;
  v_user uuid := af_find_user(p_user);
begin
  select * into v from af_take_approval(p_approval, app_uid());
  v_row := v.approval;
  if v.code is not null then
    return v.code;
  elsif v_row.owner_id <> app_uid() and not (af_has_right(v_row, app_uid(), true)
      and (af_decider(v_row, app_uid())).code is null) then
    return 'not_allowed';
  elsif v_user is null or not af_active_user(v_user) then
    return 'user_not_found';
  elsif (af_decider(v_row, v_user)).code is not null then
    return 'not_an_approver';
  end if;
  insert into approval_links (id, approval_id, owner_id, user_id, token_hash, digest, created_by)
  values (p_id, p_approval, v_row.owner_id, v_user, p_hash, af_shown_digest(v_row), app_uid());
  perform af_act(v_row, v.seq, v.watched, 'linked', app_uid(), (select handle from users where id = v_user),
    json_build_object('link_id', p_id, 'user_id', v_user));
  return 'ok';
end $$;

-- Looking changes nothing. Nothing: unknown, or its person is here no more. link_only: the token alone decides. Whoever makes
-- a link knows its token, so that holds only for links that people made for themselves.
create function af_approval_link(p_hash text) returns table (link_id uuid, approval_id uuid, user_id uuid, handle text,
  digest text, used_at timestamptz, link_only boolean) language plpgsql stable rows 1 as $$
#variable_conflict use_column
begin
  return query select l.id, l.approval_id, l.user_id, u.handle, l.digest, l.used_at,
      a.link_only and l.created_by = l.user_id
    from approval_links l join approvals a on a.id = l.approval_id join users u on u.id = l.user_id
    where l.token_hash = p_hash and af_active_user(l.user_id);
end $$;

-- Uses a link up: the decision's row, whose id is the link's. p_user: who is signed in; null: nobody.
create function af_use_approval_link(p_hash text, p_user uuid, p_answer text, p_instructions text, out code text,
  out decision_id uuid, out approval_id uuid, out user_id uuid) language plpgsql as $$
declare
  v_link approval_links;
  v_row approvals;
begin
  select * into v_link from approval_links l where l.token_hash = p_hash for update;
  select * into v_row from approvals a where a.id = v_link.approval_id;
  decision_id := v_link.id;
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
    select v_row.id, v_link.id, v_row.run_id, v_row.owner_id, u.handle, u.id, 'link', p_answer, p_instructions, v_link.digest
      from users u where u.id = v_link.user_id;
  end if;
end $$;

-- ── people ──────────────────────────────────────────────────────────────────────────────────────
-- Members of one's teams whose name begins so, and whoever has exactly this handle: never a directory.
create function app_people(p_text text, p_limit integer) returns table (id uuid, handle text, display_name text)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
    select u.id, u.handle, u.display_name from users u
    where u.id <> app_uid() and af_active_user(u.id) and (u.handle = p_text
      or (starts_with(lower(u.handle), lower(p_text)) or starts_with(lower(u.display_name), lower(p_text)))
        and u.id in (select o.user_id from team_members m join teams t on t.id = m.team_id and t.deleted_at is null
          join team_members o on o.team_id = m.team_id where m.user_id = app_uid()))
    order by u.handle, u.id limit p_limit;
end $$;

-- Who is asked, by name: whoever sees a request sees who else decides.
create function app_approvers(p_approval uuid) returns table (subject text, source text, granted_by uuid, name text)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
    select r.subject, r.source, r.granted_by, case split_part(r.subject, ':', 1)
        when 'user' then (select u.handle from users u where u.id = af_uuid(split_part(r.subject, ':', 2)))
        when 'team' then (select t.name from teams t where t.id = af_uuid(split_part(r.subject, ':', 2)))
        else substr(r.subject, 7) end
    from approval_approvers r where r.approval_id = p_approval and af_sees_approval(p_approval, app_uid())
    order by r.source, r.subject, r.granted_by;
end $$;

-- ── who may call what ───────────────────────────────────────────────────────────────────────────
do $$
declare
  v record;
  v_login constant text[] := array['af_approval', 'af_decision', 'af_receive_decision', 'af_count_decision',
    'af_nudge_approval', 'af_approval_link', 'af_use_approval_link'];
  v_app constant text[] := array['app_sees_approval', 'app_decider', 'app_asked_approvals', 'app_edit_approval',
    'app_delegate_approval', 'app_comment_approval', 'app_create_approval_link', 'app_people', 'app_approvers'];
begin
  for v in select p.oid::regprocedure as name, p.proname = any(v_login) as for_login from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname = any(v_login || v_app)
  loop
    execute format('alter function %s security definer', v.name);
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', v.name);
    execute format('grant execute on function %s to %s', v.name, case when v.for_login then 'af_login' else 'af_app' end);
  end loop;
end $$;
reset role;
