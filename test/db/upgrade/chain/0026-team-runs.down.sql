set local role af_migrate;

create or replace function af_owner_events(p_owners uuid[], p_xids xid8[], p_runs uuid[], p_after bigint[], p_each integer,
  p_all integer) returns table (no bigint, horizon text, xid text, run_id uuid, seq bigint, type text, step_path text,
  payload json, at timestamptz) language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select w.no, h.horizon::text, e.xid::text, e.run_id, e.seq, e.type, e.step_path, e.payload, e.at
    from (select pg_snapshot_xmin(pg_current_snapshot()) as horizon) h
    cross join unnest(p_owners, p_xids, p_runs, p_after) with ordinality as w (owner, xid, run, after, no)
    left join lateral (select * from run_events r
      where r.owner_id = w.owner and (r.xid, r.run_id, r.seq) > (w.xid, w.run, w.after) and r.xid < h.horizon
      order by r.xid, r.run_id, r.seq limit p_each) e on true
    limit p_all;
end $$;
alter function af_owner_events(uuid[], xid8[], uuid[], bigint[], integer, integer) security definer;
alter function af_owner_events(uuid[], xid8[], uuid[], bigint[], integer, integer) set search_path = pg_catalog, public, pg_temp;
drop index agent_team_shares_owner;
drop function af_sees_team_run(uuid, uuid);
drop trigger event_of_team on run_events;
drop function af_event_of_team();
alter table run_events drop column team_id;

drop function af_receive_decision(uuid, uuid, uuid, text, text, text, text, json, text, uuid), app_decider(uuid, uuid),
  af_decider(approvals, uuid, uuid), af_has_right(approvals, uuid, boolean, uuid), af_subjects(uuid, boolean, uuid),
  af_scopes_of(uuid, uuid), af_covers(text[], text);
create or replace function af_subjects(p_user uuid, p_deciding boolean) returns setof text language plpgsql as $$
begin
  return query
    select 'user:' || p_user
    union all
    select 'team:' || m.team_id from team_members m join teams t on t.id = m.team_id
      where m.user_id = p_user and t.deleted_at is null and not (p_deciding and m.role = 'viewer')
    union all
    select 'scope:' || scope from users u cross join lateral unnest(u.scopes) as scope where u.id = p_user;
end $$;
create or replace function af_has_right(p_approval approvals, p_user uuid, p_deciding boolean) returns boolean language plpgsql as $$
begin
  return coalesce(not p_approval.named and p_user = p_approval.owner_id, false) or exists (
    select from approval_approvers r where r.approval_id = p_approval.id
      and (r.source = 'named' or r.source = 'escalation' and p_approval.escalated_at is not null)
      and r.subject in (select af_subjects(p_user, p_deciding)));
end $$;
create or replace function af_decider(p_approval approvals, p_user uuid, out code text, out acting_for uuid) language plpgsql as $$
begin
  if not af_active_user(p_user) then
    code := 'user_deactivated';
  elsif af_excluded(p_approval, p_user) then
    code := 'four_eyes';
  elsif af_has_right(p_approval, p_user, true) then
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
create or replace function app_decider(p_approval uuid) returns text language plpgsql as $$
declare
  v_row approvals;
begin
  select * into v_row from approvals where id = p_approval;
  return (af_decider(v_row, app_uid())).code;
end $$;
alter function app_decider(uuid) security definer;
alter function app_decider(uuid) set search_path = pg_catalog, public, pg_temp;
grant execute on function app_decider(uuid) to af_app;
create or replace function af_refuses(p_approval approvals, p_decision approval_decisions) returns text language plpgsql as $$
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
create or replace function af_votes(p_approval approvals) returns bigint language plpgsql as $$
begin
  return (select count(*) from approval_decisions d where d.approval_id = p_approval.id and d.state = 'counted'
    and d.superseded_at is null and d.decision = 'approve'
    and (d.actor_id is null or (af_decider(p_approval, d.actor_id)).code is null));
end $$;
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
alter function af_count_decision(uuid, uuid, text, text) security definer;
alter function af_count_decision(uuid, uuid, text, text) set search_path = pg_catalog, public, pg_temp;
alter function af_receive_decision(uuid, uuid, uuid, text, text, text, text, json, text) security definer;
alter function af_receive_decision(uuid, uuid, uuid, text, text, text, text, json, text) set search_path = pg_catalog, public, pg_temp;
grant execute on function af_receive_decision(uuid, uuid, uuid, text, text, text, text, json, text) to af_login;
create or replace function af_use_approval_link(p_hash text, p_user uuid, p_answer text, p_instructions text, out code text,
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
alter function af_use_approval_link(text, uuid, text, text) security definer;
alter function af_use_approval_link(text, uuid, text, text) set search_path = pg_catalog, public, pg_temp;
alter table approval_links drop column decision_id;
alter table approval_decisions drop column key_id;

create or replace function af_link(p_hash text) returns table (purpose text, user_id uuid, handle text, loopback boolean,
  expires_at timestamptz) language plpgsql stable rows 1 as $$
#variable_conflict use_column
begin
  return query
    select l.purpose, u.id, u.handle, l.loopback, l.expires_at from one_time_links l join users u on u.id = l.user_id
      where l.hash = p_hash and l.used_at is null and l.expires_at > clock_timestamp() and u.status = 'active'
    union all
    select 'invite', null, i.handle, false, i.expires_at from invites i join users u on u.id = i.owner_id
      where i.hash = p_hash and i.accepted_at is null and i.revoked_at is null and i.expires_at > clock_timestamp()
        and u.status = 'active';
end $$;
create or replace function af_use_link(p_hash text, p_password text, p_handle text, p_name text)
returns table (outcome text, user_id uuid, handle text) language plpgsql rows 1 as $$
#variable_conflict use_column
declare
  v_link one_time_links;
  v_user users;
begin
  select * into v_link from one_time_links l where l.hash = p_hash and l.used_at is null
    and l.expires_at > clock_timestamp() for update;
  if found then
    select * into v_user from users u where u.id = v_link.user_id and u.status = 'active' for update;
  end if;
  if v_user.id is null then
    return query select 'invalid', null::uuid, null;
    return;
  end if;
  if v_link.purpose = 'first_admin' then
    if exists (select from users u where u.handle = p_handle and u.id <> v_user.id) then
      return query select 'taken', null::uuid, null;
      return;
    end if;
    update users u set handle = p_handle, display_name = p_name where u.id = v_user.id;
    v_user.handle := p_handle;
  end if;
  update one_time_links set used_at = clock_timestamp() where id = v_link.id;
  if v_link.purpose <> 'sign_in' then
    perform af_set_password(v_user.id, p_password, null);
  end if;
  return query select 'ok', v_user.id, v_user.handle;
end $$;
alter function af_link(text) security definer;
alter function af_link(text) set search_path = pg_catalog, public, pg_temp;
alter function af_use_link(text, text, text, text) security definer;
alter function af_use_link(text, text, text, text) set search_path = pg_catalog, public, pg_temp;
drop function af_audit(uuid, text, text, uuid, text, text, text, text, text, text, text, text);
create function af_audit(p_owner uuid, p_actor text, p_means text, p_credential uuid, p_action text, p_type text,
  p_object text, p_peer text, p_request text, p_before text, p_after text) returns void language plpgsql as $$
begin
  insert into audit_log (owner_id, actor, means, credential_id, action, object_type, object_id, peer, request_id,
      before_digest, after_digest)
    values (p_owner, p_actor, p_means, p_credential, p_action, p_type, p_object, p_peer, p_request, p_before, p_after);
end $$;
alter function af_audit(uuid, text, text, uuid, text, text, text, text, text, text, text) security definer;
alter function af_audit(uuid, text, text, uuid, text, text, text, text, text, text, text) set search_path = pg_catalog, public, pg_temp;
grant execute on function af_audit(uuid, text, text, uuid, text, text, text, text, text, text, text) to af_login;
alter table audit_log drop column object_path;
drop function af_link_holds(one_time_links);
alter table one_time_links drop column made_by;
drop index login_attempts_at;
create or replace function af_is_last_owner(p_team uuid, p_user uuid) returns boolean language sql as $$
  select exists (select from team_members where team_id = p_team and user_id = p_user and role = 'owner')
    and not exists (select from team_members where team_id = p_team and user_id <> p_user and role = 'owner')
$$;
create or replace function app_set_team_member(p_team uuid, p_user text, p_role text, p_seen bigint, out outcome text, out member_id uuid)
language plpgsql as $$
declare
  v_mine text;
  v_theirs text;
  v_version bigint;
begin
  perform af_lock_team(p_team);
  v_mine := app_team_role(p_team);
  if v_mine is null then
    outcome := 'not_found';
    return;
  end if;
  if v_mine not in ('owner', 'admin') then
    outcome := 'forbidden';
    return;
  end if;
  select u.id into member_id from users u where u.id::text = lower(p_user) or u.handle = p_user
    order by (u.id::text = lower(p_user)) desc limit 1;
  if member_id is null then
    outcome := 'user_not_found';
    return;
  end if;
  select role, row_version into v_theirs, v_version from team_members where team_id = p_team and user_id = member_id;
  if v_mine = 'admin' and (p_role in ('owner', 'admin') or coalesce(v_theirs, '') in ('owner', 'admin')) then
    outcome := 'forbidden';
  elsif p_role <> 'owner' and af_is_last_owner(p_team, member_id) then
    outcome := 'last_owner';
  elsif p_seen <> v_version then
    outcome := 'stale';
  else
    insert into team_members (team_id, user_id, role) values (p_team, member_id, p_role)
      on conflict (team_id, user_id) do update set role = excluded.role;
    outcome := 'ok';
  end if;
end $$;
alter function af_is_last_owner(uuid, uuid) security definer;
alter function af_is_last_owner(uuid, uuid) set search_path = pg_catalog, public, pg_temp;
alter function app_set_team_member(uuid, text, text, bigint) security definer;
alter function app_set_team_member(uuid, text, text, bigint) set search_path = pg_catalog, public, pg_temp;
drop policy idempotency_keys_af_migrate on idempotency_keys;
drop function af_keep_answer(uuid, text, text, text, uuid, integer, text, json);
revoke insert on api_keys from af_system;
drop function app_narrow_share(uuid, uuid, json, bigint), app_withdraw_invitation(uuid, uuid), app_answer_invitation(uuid, boolean),
  app_my_invitations(), app_team_invitations(uuid), app_invite_to_team(uuid, text, text), af_team_role_of(uuid, uuid),
  af_gives_role(text, text);
drop table team_invitations;

drop index runs_owner_team, runs_profile_owner_team;
drop function af_create_run(uuid, uuid, uuid, uuid, text, text, json, text, text, text, text, json, json, integer, uuid, text,
  uuid, integer, uuid, text, text, text, uuid, uuid, text, json);
create or replace function af_create_run(p_id uuid, p_owner uuid, p_playbook uuid, p_version uuid, p_slug text, p_name text, p_inputs json,
  p_query text, p_run_context text, p_approval_policy text, p_invoked_by text, p_clock json, p_connectors json,
  p_steps_total integer, p_parent uuid, p_parent_path text, p_root uuid, p_depth integer, p_retry_of uuid, p_retry_from text,
  p_key text, p_hash text, p_profile uuid default null, p_team uuid default null) returns setof runs
language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_version_owner uuid;
  v_profile_owner uuid;
  v_profile uuid;
  v_team uuid;
begin
  select owner_id into v_version_owner from playbook_versions where id = p_version and playbook_id = p_playbook;
  if p_parent is not null then
    select profile_id, profile_owner_id, team_id into v_profile, v_profile_owner, v_team from runs where id = p_parent;
  elsif p_profile is not null then
    if not af_may_run(p_owner, p_profile, p_team) then
      raise exception 'a run is for a profile that its owner may not run' using errcode = 'insufficient_privilege';
    end if;
    v_profile := p_profile;
    v_team := p_team;
    select owner_id into v_profile_owner from agent_profiles where id = p_profile;
  end if;
  if v_version_owner is null
    or not (v_version_owner = p_owner and (p_parent is not null or coalesce(v_profile_owner, p_owner) = p_owner)
      or v_version_owner = v_profile_owner and exists (select from profile_skills
        where profile_id = v_profile and playbook_id = p_playbook and is_enabled))
    or p_profile is null and p_team is not null
    or p_parent is not null and not exists (select from runs where id = p_parent and owner_id = p_owner)
    or p_root <> p_id and not exists (select from runs where id = p_root and owner_id = p_owner)
    or p_retry_of is not null and not exists (select from runs where id = p_retry_of and owner_id = p_owner) then
    raise exception 'a run refers to what its owner does not see' using errcode = 'insufficient_privilege';
  end if;
  return query
    insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, inputs, query, run_context,
      approval_policy, invoked_by, clock, connectors, steps_total, parent_run_id, parent_step_path, root_run_id, depth,
      retry_of, retry_from, idempotency_key, idempotency_hash, profile_id, profile_owner_id, team_id)
    values (p_id, p_owner, p_playbook, p_version, p_slug, p_name, p_inputs, p_query, p_run_context, p_approval_policy,
      p_invoked_by, p_clock, p_connectors, p_steps_total, p_parent, p_parent_path, p_root, p_depth, p_retry_of, p_retry_from,
      p_key, p_hash, v_profile, v_profile_owner, v_team)
    on conflict do nothing returning *;
end $$;
create or replace function app_retry_run(p_id uuid, p_run uuid, p_from text, p_presets json, p_overrides json, p_key text,
  p_hash text) returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, root_run_id, depth,
      retry_of, retry_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      retry_presets, retry_overrides, idempotency_key, idempotency_hash, profile_id, profile_owner_id, team_id, strategy)
    select p_id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, p_id, 0,
      id, p_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      p_presets, p_overrides, p_key, p_hash, profile_id, profile_owner_id, team_id, strategy
    from runs r where id = p_run and owner_id = app_uid() and af_closed(status)
      and (profile_id is null or af_may_run(owner_id, profile_id, team_id))
      and (exists (select from playbooks p where p.id = r.playbook_id and p.owner_id = r.owner_id)
        or exists (select from profile_skills k where k.profile_id = r.profile_id and k.playbook_id = r.playbook_id
          and k.is_enabled))
    on conflict do nothing;
  return found;
end $$;
grant execute on function af_create_run(uuid, uuid, uuid, uuid, text, text, json, text, text, text, text, json, json, integer,
  uuid, text, uuid, integer, uuid, text, text, text, uuid, uuid) to af_login;
drop function app_why_no_retry(uuid);

drop policy secrets_migrate on secrets;
drop function af_bound_secret(uuid, uuid, uuid, text, text), af_bound_connector(uuid, uuid, uuid);
drop trigger profile_stopped on agent_profiles;
drop function af_profile_stopped();
create or replace function af_account_lost() returns trigger language plpgsql as $$
begin
  update runs set control = 'pause', revoked_at = clock_timestamp(), updated_at = clock_timestamp()
    where owner_id = new.id and control = 'run' and not af_closed(status);
  return null;
end $$;
create or replace function af_may_run(p_owner uuid, p_profile uuid, p_team uuid) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from users where id = p_owner and status = 'active') then
    return false;
  end if;
  if p_team is null then
    return exists (select from agent_profiles
      where id = p_profile and owner_id = p_owner and is_active and deleted_at is null);
  end if;
  return exists (select from agent_team_shares s join agent_profiles p on p.id = s.profile_id
      join teams t on t.id = s.team_id join team_members m on m.team_id = t.id
    where s.profile_id = p_profile and s.team_id = p_team and s.is_active and p.is_active and p.deleted_at is null
      and t.deleted_at is null and m.user_id = p_owner and m.role <> 'viewer');
end $$;
alter function af_account_lost() security definer;
alter function af_account_lost() set search_path = pg_catalog, public, pg_temp;

reset role;
