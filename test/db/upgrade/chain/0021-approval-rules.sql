-- Approvals by more than one person: who may decide, how many it takes, edits, delegation, reminders, links. Who may is read
-- afresh whenever something counts. Locks: the run's row, then the approval, then the decision log (see 0002).
set local role af_migrate;

-- ── rows ────────────────────────────────────────────────────────────────────────────────────────
alter table approvals
  add column quorum integer not null default 1 check (quorum > 0),
  -- Neither whose run it is, nor who edited last.
  add column four_eyes boolean not null default false,
  add column link_only boolean not null default false,
  -- Those in approval_approvers decide, and not just because it is his run the run's owner.
  add column named boolean not null default false,
  -- What the playbook calls approvers and nobody is.
  add column unknown_approvers text[] not null default '{}',
  -- `digest` is that of the action as the engine made it; this one covers `edits` too.
  add column edited_digest text,
  add column edited_by uuid references users (id),
  add column edited_at timestamptz,
  add column reminded_at timestamptz,
  add column escalated_at timestamptz;
create index approvals_owner_requested on approvals (owner_id, requested_at, id);

alter table approval_decisions
  -- Null: a signal or a policy is nobody.
  add column actor_id uuid,
  -- Who delegated to the actor, where that alone gave him the right.
  add column acting_for uuid,
  -- Collected for an action that was edited since.
  add column superseded_at timestamptz;
-- What is on its way was decided when a digest could be left out.
update approval_decisions d set actor_id = case when d.via in ('api', 'cli') then d.owner_id end,
  digest = coalesce(d.digest, a.digest)
  from approvals a where a.id = d.approval_id and d.state = 'received';

-- subject: `user:<id>`, `team:<id>` or `scope:<group:role>`. An escalation counts once it has happened.
create table approval_approvers (
  approval_id uuid not null references approvals (id),
  subject text not null,
  source text not null check (source in ('named', 'escalation', 'delegation')),
  granted_by uuid not null references users (id),
  owner_id uuid not null,
  requested_at timestamptz not null,
  primary key (approval_id, subject, source, granted_by)
);
create index approval_approvers_subject on approval_approvers (subject, requested_at, approval_id);

-- What happened to a request beside decisions; every row is in the decision log too.
create table approval_acts (
  id uuid primary key,
  approval_id uuid not null references approvals (id),
  owner_id uuid not null,
  kind text not null check (kind in ('edited', 'delegated', 'commented', 'linked', 'reminded', 'escalated')),
  -- Null: a timer.
  actor_id uuid references users (id),
  actor text not null,
  -- What the actor chose: edits, whom he means, his words.
  body json not null,
  digest text,
  at timestamptz not null default clock_timestamp()
);
create index approval_acts_approval on approval_acts (approval_id, at, id);

-- One decision by one person about one action. The token itself is with that person alone.
create table approval_links (
  id uuid primary key,
  approval_id uuid not null references approvals (id),
  owner_id uuid not null,
  user_id uuid not null references users (id),
  token_hash text not null unique,
  digest text not null,
  created_by uuid not null references users (id),
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz
);
create index approval_links_approval on approval_links (approval_id);

-- ── who may ─────────────────────────────────────────────────────────────────────────────────────
create function af_uuid(p_text text) returns uuid language plpgsql immutable as $$
begin
  return case when p_text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_text::uuid end;
end $$;

-- By id or handle.
create function af_find_user(p_text text) returns uuid language plpgsql stable as $$
begin
  return (select u.id from users u where u.id = af_uuid(p_text) or u.handle = p_text
    order by u.id is not distinct from af_uuid(p_text) desc limit 1);
end $$;

create function af_active_user(p_user uuid) returns boolean language plpgsql as $$
begin
  return exists (select from users u where u.id = p_user and u.status = 'active');
end $$;

-- Whoever stands behind an account: a service account is its maker's other hand, never a second pair of eyes.
create function af_person(p_user uuid) returns uuid language plpgsql stable as $$
begin
  return coalesce((select u.managed_by from users u where u.id = p_user), p_user);
end $$;

-- Neither whose run it is, nor who edited last.
create function af_excluded(p_approval approvals, p_user uuid) returns boolean language plpgsql stable as $$
begin
  return p_approval.four_eyes and af_person(p_user) in (af_person(p_approval.owner_id),
    coalesce(af_person(p_approval.edited_by), af_person(p_approval.owner_id)));
end $$;

-- All that a person is as an approver; a team's viewers look on.
create function af_subjects(p_user uuid, p_deciding boolean) returns setof text language plpgsql as $$
begin
  return query
    select 'user:' || p_user
    union all
    select 'team:' || m.team_id from team_members m join teams t on t.id = m.team_id
      where m.user_id = p_user and t.deleted_at is null and not (p_deciding and m.role = 'viewer')
    union all
    select 'scope:' || scope from users u cross join lateral unnest(u.scopes) as scope where u.id = p_user;
end $$;

-- The people behind a subject who may decide.
create function af_people_of(p_subject text) returns setof uuid language plpgsql as $$
declare
  v_kind constant text := split_part(p_subject, ':', 1);
  v_rest constant text := substr(p_subject, length(v_kind) + 2);
begin
  return query
    select u.id from users u where case v_kind
        when 'user' then u.id = af_uuid(v_rest)
        when 'team' then exists (select from team_members m join teams t on t.id = m.team_id
          where t.id = af_uuid(v_rest) and m.user_id = u.id and t.deleted_at is null and m.role <> 'viewer')
        else v_rest = any(u.scopes) end
      and af_active_user(u.id);
end $$;

-- Tells whoever can answer, once each. Delivery is another matter.
create function af_notify_approvers(p_approval approvals, p_kind text, p_source text) returns void language plpgsql as $$
begin
  insert into notifications (id, owner_id, kind, title, run_id, approval_id)
  select gen_random_uuid(), w.person, p_kind, left(p_approval.prompt, 200), p_approval.run_id, p_approval.id from (
    select af_people_of(r.subject) as person from approval_approvers r
      where r.approval_id = p_approval.id and r.source = p_source
    union
    select p_approval.owner_id where p_source = 'named' and not p_approval.named) w;
end $$;

-- A right of his own, not by delegation.
create function af_has_right(p_approval approvals, p_user uuid, p_deciding boolean) returns boolean language plpgsql as $$
begin
  return coalesce(not p_approval.named and p_user = p_approval.owner_id, false) or exists (
    select from approval_approvers r where r.approval_id = p_approval.id
      and (r.source = 'named' or r.source = 'escalation' and p_approval.escalated_at is not null)
      and r.subject in (select af_subjects(p_user, p_deciding)));
end $$;

-- Why somebody may not decide (null: he may), and who delegated to him where that alone gives him the right.
create function af_decider(p_approval approvals, p_user uuid, out code text, out acting_for uuid) language plpgsql as $$
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

-- The request and its preview, for its owner and for whoever is asked.
create function af_sees_approval(p_approval uuid, p_user uuid) returns boolean language plpgsql as $$
declare
  v_row approvals;
begin
  select * into v_row from approvals where id = p_approval;
  return coalesce(v_row.owner_id = p_user, false) or v_row.id is not null and (
    af_has_right(v_row, p_user, false) or exists (select from approval_approvers r where r.approval_id = p_approval
      and r.source = 'delegation' and r.subject = 'user:' || p_user and af_has_right(v_row, r.granted_by, true)));
end $$;

create function app_sees_approval(p_id uuid) returns boolean language sql as $$
  select af_sees_approval(p_id, app_uid())
$$;

create function app_decider(p_approval uuid) returns text language plpgsql as $$
declare
  v_row approvals;
begin
  select * into v_row from approvals where id = p_approval;
  return (af_decider(v_row, app_uid())).code;
end $$;

-- ── policies ────────────────────────────────────────────────────────────────────────────────────
do $$
declare
  v_table text;
begin
  foreach v_table in array array['approval_approvers', 'approval_acts', 'approval_links'] loop
    execute format('alter table %I enable row level security', v_table);
    execute format('alter table %I force row level security', v_table);
    execute format('create policy %I on %I to af_migrate using (true) with check (true)', v_table || '_af_migrate', v_table);
    execute format('create policy %I on %I for select to af_app using (owner_id = (select app_uid()))',
      v_table || '_af_app', v_table);
  end loop;
  foreach v_table in array array['approval_decisions', 'approval_approvers', 'approval_acts'] loop
    execute format('create policy %I on %I for select to af_app using (app_sees_approval(approval_id))',
      v_table || '_approver', v_table);
  end loop;
end $$;
create policy approvals_approver on approvals for select to af_app using (app_sees_approval(id));
grant select on approval_approvers, approval_acts to af_app;
grant select (id, approval_id, owner_id, user_id, digest, created_by, created_at, used_at) on approval_links to af_app;

-- ── opening ─────────────────────────────────────────────────────────────────────────────────────
-- {users, teams, scopes} as the playbook names them; gives the names that nobody has. Teams are those of the run's owner; of
-- several with one name the one that he has been in longest, since anybody can make a team and put him into it.
create function af_add_approvers(p_approval approvals, p_who json, p_source text) returns text[] language plpgsql as $$
declare
  v_name text;
  v_subject text;
  v_unknown text[] := '{}';
begin
  for v_name, v_subject in
    select n.value, 'user:' || af_find_user(n.value) from json_array_elements_text(p_who -> 'users') n
    union all
    select n.value, (select 'team:' || t.id from teams t join team_members m on m.team_id = t.id
        where m.user_id = p_approval.owner_id and t.deleted_at is null and (t.id = af_uuid(n.value) or t.name = n.value)
        order by t.id is not distinct from af_uuid(n.value) desc, m.created_at, t.id limit 1)
      from json_array_elements_text(p_who -> 'teams') n
    union all
    select n.value, 'scope:' || n.value from json_array_elements_text(p_who -> 'scopes') n
  loop
    if v_subject is null then
      v_unknown := v_unknown || v_name;
    else
      insert into approval_approvers (approval_id, subject, source, granted_by, owner_id, requested_at)
      values (p_approval.id, v_subject, p_source, p_approval.owner_id, p_approval.owner_id, p_approval.requested_at)
      on conflict do nothing;
    end if;
  end loop;
  return v_unknown;
end $$;

-- p_policy {approvers, quorum, four_eyes, link_only, escalate_to}
create function af_set_rules(p_approval approvals, p_policy json) returns void language plpgsql as $$
declare
  v_unknown text[];
  v_row approvals;
begin
  v_unknown := coalesce(af_add_approvers(p_approval, p_policy -> 'approvers', 'named'), '{}')
    || coalesce(af_add_approvers(p_approval, p_policy -> 'escalate_to', 'escalation'), '{}');
  update approvals set quorum = coalesce((p_policy ->> 'quorum')::integer, 1),
    four_eyes = coalesce((p_policy ->> 'four_eyes')::boolean, false),
    link_only = coalesce((p_policy ->> 'link_only')::boolean, false),
    named = p_policy -> 'approvers' is not null, unknown_approvers = v_unknown
    where id = p_approval.id returning * into v_row;
  if v_row.named then
    perform af_notify_approvers(v_row, 'approval.requested', 'named');
  end if;
end $$;

-- As before, each with the rules that its playbook gave it (`policy`).
create or replace function af_open_approvals(p_run uuid, p_owner uuid, p_approvals json) returns void language plpgsql as $$
declare
  v_row approvals;
  v_policy json;
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
    else
      select a.policy::json into v_policy from json_to_recordset(p_approvals) as a (id uuid, policy text)
        where a.id = v_row.id;
      if v_policy is not null then
        perform af_set_rules(v_row, v_policy);
      end if;
    end if;
  end loop;
end $$;
