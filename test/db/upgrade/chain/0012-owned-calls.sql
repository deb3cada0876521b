-- Calls that need no transaction of their own: one round trip as af_login, which may do nothing else. They run as af_migrate,
-- so each names the owner or the run that it is for. plpgsql throughout: it keeps its plans.

set local role af_migrate;

-- ── runs ────────────────────────────────────────────────────────────────────────────────────────
create function af_run(p_owner uuid, p_run uuid) returns setof runs language plpgsql stable rows 1 as $$
begin
  return query select * from runs where id = p_run and owner_id = p_owner;
end $$;

-- Whoever owns it: the worker compares it with what a workflow claims.
create function af_run_to_work(p_run uuid) returns setof runs language plpgsql stable rows 1 as $$
begin
  return query select * from runs where id = p_run;
end $$;

create function af_run_by_key(p_owner uuid, p_key text) returns setof runs language plpgsql stable rows 1 as $$
begin
  return query select * from runs where owner_id = p_owner and idempotency_key = p_key;
end $$;

create function af_run_children(p_owner uuid, p_run uuid) returns setof runs language plpgsql stable as $$
begin
  return query select * from runs where parent_run_id = p_run and owner_id = p_owner order by created_at, id;
end $$;

create function af_run_started(p_run uuid) returns void language plpgsql as $$
begin
  update runs set workflow_started_at = clock_timestamp() where id = p_run and workflow_started_at is null;
end $$;

-- Nothing: a run with this id or key is there. What the run refers to must be its owner's.
create function af_create_run(p_id uuid, p_owner uuid, p_playbook uuid, p_version uuid, p_slug text, p_name text, p_inputs json,
  p_query text, p_run_context text, p_approval_policy text, p_invoked_by text, p_clock json, p_connectors json,
  p_steps_total integer, p_parent uuid, p_parent_path text, p_root uuid, p_depth integer, p_retry_of uuid, p_retry_from text,
  p_key text, p_hash text) returns setof runs language plpgsql rows 1 as $$
begin
  if not exists (select from playbook_versions where id = p_version and playbook_id = p_playbook and owner_id = p_owner)
    or p_parent is not null and not exists (select from runs where id = p_parent and owner_id = p_owner)
    or p_root <> p_id and not exists (select from runs where id = p_root and owner_id = p_owner)
    or p_retry_of is not null and not exists (select from runs where id = p_retry_of and owner_id = p_owner) then
    raise exception 'a run refers to what its owner does not see' using errcode = 'insufficient_privilege';
  end if;
  return query
    insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, inputs, query, run_context,
      approval_policy, invoked_by, clock, connectors, steps_total, parent_run_id, parent_step_path, root_run_id, depth,
      retry_of, retry_from, idempotency_key, idempotency_hash)
    values (p_id, p_owner, p_playbook, p_version, p_slug, p_name, p_inputs, p_query, p_run_context, p_approval_policy,
      p_invoked_by, p_clock, p_connectors, p_steps_total, p_parent, p_parent_path, p_root, p_depth, p_retry_of, p_retry_from,
      p_key, p_hash)
    on conflict do nothing returning *;
end $$;

-- A playbook by slug or id, its latest version, and when this owner's latest run of it that ended well began.
create function af_playbook_to_start(p_owner uuid, p_ref text) returns table (id uuid, owner_id uuid, slug text, name text,
  description text, kind text, origin text, latest_version_id uuid, created_at timestamptz, updated_at timestamptz,
  version_no integer, declared_version text, last_started_at timestamptz) language plpgsql stable rows 1 as $$
#variable_conflict use_column
begin
  return query
    select f.*, (select r.started_at from runs r where r.owner_id = p_owner and r.playbook_id = f.id
        and r.status in ('complete', 'partial') and r.started_at is not null order by r.started_at desc limit 1)
    from (select d.id, d.owner_id, d.slug, d.name, d.description, d.category, d.origin, d.latest_version_id, d.created_at,
        d.updated_at, v.version_no, v.declared_version
      from playbooks d join playbook_versions v on v.id = d.latest_version_id
      where d.owner_id = p_owner and d.deleted_at is null and (d.slug = p_ref or d.id::text = lower(p_ref))
      order by (d.slug = p_ref) desc limit 1) f;
end $$;

-- Latest versions of connectors, by the slug or id that was asked for.
create function af_latest_connectors(p_owner uuid, p_refs text[]) returns table (ref text, latest_version_id uuid)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select w.ref, f.latest_version_id from unnest(p_refs) as w (ref)
    cross join lateral (select d.latest_version_id from connectors d
      where d.owner_id = p_owner and d.deleted_at is null and d.latest_version_id is not null
        and (d.slug = w.ref or d.id::text = lower(w.ref))
      order by (d.slug = w.ref) desc limit 1) f;
end $$;

create function af_record_model_call(p_id uuid, p_run uuid, p_owner uuid, p_step_path text, p_effect_key text, p_try_no integer,
  p_call_no integer, p_provider text, p_model text, p_input_tokens integer, p_output_tokens integer, p_cost numeric,
  p_outcome text, p_latency integer) returns boolean language plpgsql as $$
begin
  insert into model_calls (id, run_id, owner_id, step_path, effect_key, try_no, call_no, provider, model, input_tokens,
      output_tokens, cost_usd, outcome, latency_ms)
    select p_id, r.id, r.owner_id, p_step_path, p_effect_key, p_try_no, p_call_no, p_provider, p_model, p_input_tokens,
      p_output_tokens, p_cost, p_outcome, p_latency
    from runs r where r.id = p_run and r.owner_id = p_owner
    on conflict (run_id, effect_key, try_no, call_no) do nothing;
  if not found then
    return false;
  end if;
  update runs set input_tokens = input_tokens + coalesce(p_input_tokens, 0),
    output_tokens = output_tokens + coalesce(p_output_tokens, 0),
    cost_usd = case when p_cost is null then cost_usd else coalesce(cost_usd, 0) + p_cost end
    where id = p_run;
  return true;
end $$;

-- ── the event log ───────────────────────────────────────────────────────────────────────────────
-- The next events of each position, at most p_each of one and p_all together. The lateral limit keeps this a loop of index
-- scans, so the rows of one reader come in the order of seq.
create function af_log_pages(p_runs uuid[], p_owners uuid[], p_after bigint[], p_each integer, p_all integer)
returns table (no bigint, run_id uuid, seq bigint, type text, step_path text, payload json, at timestamptz)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select w.no, e.run_id, e.seq, e.type, e.step_path, e.payload, e.at
    from unnest(p_runs, p_owners, p_after) with ordinality as w (run, owner, after, no)
    cross join lateral (select * from run_events where run_id = w.run and owner_id = w.owner and seq > w.after
      order by seq limit p_each) e
    limit p_all;
end $$;

-- Where a run stands and the first page of its log; from now on for p_seconds (0: leave it as it is) it is watched.
create function af_open_log(p_seconds integer, p_run uuid, p_owner uuid, p_after bigint, p_limit integer)
returns table (run_seq bigint, run_status text, watched boolean, run_id uuid, seq bigint, type text, step_path text,
  payload json, at timestamptz) language plpgsql as $$
#variable_conflict use_column
begin
  return query
    with watch as (
      update runs set watched_until = greatest(watched_until, clock_timestamp() + make_interval(secs => p_seconds))
       where id = p_run and owner_id = p_owner and p_seconds > 0 and not af_closed(status) returning seq, status)
    select coalesce(w.seq, r.seq), coalesce(w.status, r.status), w.seq is not null, e.run_id, e.seq, e.type, e.step_path,
        e.payload, e.at
      from runs r left join watch w on true
      left join lateral (select * from run_events where run_id = r.id and owner_id = r.owner_id and seq > p_after
                          order by seq limit p_limit) e on true
     where r.id = p_run and r.owner_id = p_owner;
end $$;

-- A run that somebody writes to at this moment is left for the next time: no step waits for another run's lock here.
create function af_renew_watch(p_seconds integer, p_runs uuid[]) returns table (id uuid, closed boolean, renewed boolean)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
    with free as (
      select id from runs where id = any(p_runs) and not af_closed(status) for no key update skip locked),
    renewed as (
      update runs set watched_until = greatest(watched_until, clock_timestamp() + make_interval(secs => p_seconds))
       where id in (select id from free) returning id)
    select r.id, af_closed(r.status), n.id is not null
      from runs r left join renewed n on n.id = r.id where r.id = any(p_runs);
end $$;

-- ── approvals ───────────────────────────────────────────────────────────────────────────────────
create function af_approval(p_owner uuid, p_approval uuid) returns setof approvals language plpgsql stable rows 1 as $$
begin
  return query select * from approvals where id = p_approval and owner_id = p_owner;
end $$;

-- Whether it can still be decided, whoever owns it.
create function af_approval_waits(p_approval uuid) returns boolean language plpgsql stable as $$
begin
  return exists (select from approvals where id = p_approval and status = 'waiting');
end $$;

create function af_decision(p_owner uuid, p_approval uuid, p_decision uuid) returns setof approval_decisions
language plpgsql stable rows 1 as $$
begin
  return query select * from approval_decisions
    where approval_id = p_approval and decision_id = p_decision and owner_id = p_owner;
end $$;

-- The row of a decision that came in; nothing: there is no such approval, or the decision is there.
create function af_receive_decision(p_owner uuid, p_approval uuid, p_decision uuid, p_actor text, p_via text, p_answer text,
  p_instructions text, p_edits json, p_digest text) returns setof approval_decisions language plpgsql rows 1 as $$
begin
  return query
    insert into approval_decisions (approval_id, decision_id, run_id, owner_id, actor, via, decision, instructions, edits,
      digest)
    select a.id, p_decision, a.run_id, a.owner_id, p_actor, p_via, p_answer, p_instructions, p_edits, p_digest
      from approvals a where a.id = p_approval and a.owner_id = p_owner
    on conflict do nothing returning *;
end $$;

-- ── contents ────────────────────────────────────────────────────────────────────────────────────
-- A blob of one chunk. p_scope: an owner, or the nil uuid.
create function af_put_blob(p_scope uuid, p_sha256 text, p_size bigint, p_data bytea) returns void language plpgsql as $$
begin
  insert into blobs (scope, sha256, size, chunks) values (p_scope, p_sha256, p_size, 1) on conflict do nothing;
  if found then
    insert into blob_chunks (scope, sha256, no, data) values (p_scope, p_sha256, 0, p_data);
  end if;
end $$;

-- The driver reads no binary rows (it would decode them as text): base64 is the shortest and fastest text.
create function af_read_blob(p_scope uuid, p_sha256 text, p_from integer, p_limit integer) returns table (data text)
language plpgsql stable as $$
begin
  return query select encode(c.data, 'base64') from blob_chunks c
    where c.scope = p_scope and c.sha256 = p_sha256 and c.no >= p_from order by c.no limit p_limit;
end $$;

create function af_has_blob(p_scope uuid, p_sha256 text) returns boolean language plpgsql stable as $$
begin
  return exists (select from blobs where scope = p_scope and sha256 = p_sha256);
end $$;

-- ── inside a person's transaction ───────────────────────────────────────────────────────────────
-- As af_recorded and af_step, for runs that the caller sees.
create function app_recorded(p_run uuid, p_effect_key text, p_try_no integer) returns json language plpgsql stable as $$
begin
  return case when app_sees_run(p_run) then af_recorded(p_run, p_effect_key, p_try_no) end;
end $$;

create function app_step(p_run uuid, p_events json, p_patch json, p_record json, p_input json, p_output json, p_error json,
  p_begin json) returns json language plpgsql as $$
begin
  return case when app_sees_run(p_run)
    then af_step(p_run, p_events, p_patch, p_record, p_input, p_output, p_error, p_begin) end;
end $$;

-- The row of a run that repeats a closed one. False: it is not closed, or not there, or the id or key is taken.
create function app_retry_run(p_id uuid, p_run uuid, p_from text, p_presets json, p_overrides json, p_key text, p_hash text)
returns boolean language plpgsql as $$
begin
  insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, root_run_id, depth,
      retry_of, retry_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      retry_presets, retry_overrides, idempotency_key, idempotency_hash)
    select p_id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, p_id, 0,
      id, p_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      p_presets, p_overrides, p_key, p_hash
    from runs where id = p_run and owner_id = app_uid() and af_closed(status)
    on conflict do nothing;
  return found;
end $$;

-- Results of untouched steps for a run that repeats another. `output` stays content-addressed, so large values are shared.
create function app_copy_results(p_from uuid, p_to uuid, p_paths text[]) returns setof text language plpgsql as $$
begin
  return query
    insert into step_results (run_id, effect_key, try_no, owner_id, step_path, step_name, action, status, input, output,
      error, started_at, finished_at, copied_from)
    select t.id, t.id || substr(s.effect_key, length(s.run_id::text) + 1), s.try_no, s.owner_id, s.step_path, s.step_name,
      s.action, s.status, s.input, s.output, s.error, s.started_at, s.finished_at, coalesce(s.copied_from, s.run_id)
    from step_results s join runs t on t.id = p_to and t.owner_id = app_uid()
    where s.run_id = p_from and s.owner_id = app_uid() and s.status = 'ok' and s.step_path = any(p_paths)
    on conflict do nothing
    returning step_path;
end $$;

-- ── the schema ──────────────────────────────────────────────────────────────────────────────────
-- Names of the migrations that were applied: a process waits for those it knows.
create function af_migrations() returns setof text language plpgsql stable as $$
begin
  return query select m.name::text from migrations m;
end $$;

-- ── who may call what ───────────────────────────────────────────────────────────────────────────
-- All of these run as af_migrate, with a search path that no caller can bend.
do $$
declare
  v record;
  v_login constant text[] := array['af_step', 'af_release', 'af_effect_sent', 'af_transition', 'af_settle_approval',
    'af_count_decision', 'af_finish', 'af_run', 'af_run_to_work', 'af_run_by_key', 'af_run_children', 'af_run_started',
    'af_create_run', 'af_playbook_to_start', 'af_latest_connectors', 'af_record_model_call', 'af_log_pages', 'af_open_log',
    'af_renew_watch', 'af_approval', 'af_approval_waits', 'af_decision', 'af_receive_decision', 'af_put_blob',
    'af_read_blob', 'af_has_blob', 'af_migrations'];
  v_app constant text[] := array['app_sees_run', 'app_sees_playbook', 'app_sees_playbook_version', 'app_sees_connector',
    'app_sees_connector_version', 'app_sees_folder', 'app_sees_workspace', 'app_create_workspace',
    'app_create_workspace_table', 'app_shape_workspace_table', 'app_key_workspace_table', 'app_recorded', 'app_step',
    'app_retry_run', 'app_copy_results'];
begin
  for v in select p.oid::regprocedure as name, p.proname = any(v_login) as for_login from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname = any(v_login || v_app)
  loop
    execute format('alter function %s security definer', v.name);
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', v.name);
    execute format('grant execute on function %s to %s', v.name, case when v.for_login then 'af_login' else 'af_app' end);
  end loop;
end $$;
grant execute on function af_closed(text) to af_app, af_system;
