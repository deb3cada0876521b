-- What an owner sees of the calls of his connectors: records, health, the state of credentials, what he has to confirm.
set local role af_migrate;

-- ── records ─────────────────────────────────────────────────────────────────────────────────────
-- One row for each request, and for each answer out of the cache. Addresses without path and query: those may hold secrets.
create table connector_calls (
  id uuid primary key,
  owner_id uuid not null references users (id),
  connector text not null,
  version_id uuid,
  endpoint text not null,
  run_id uuid,
  step_path text,
  origin text not null,
  method text not null,
  -- Null: no answer came.
  status integer,
  -- `ok`, or the code of what went wrong.
  outcome text not null,
  latency_ms integer not null,
  bytes integer,
  items integer,
  cache text not null check (cache in ('none', 'miss', 'hit', 'revalidated', 'stale')),
  attempt integer not null,
  page integer,
  -- Only where somebody asked for it; masked.
  body text,
  at timestamptz not null default clock_timestamp()
);
create index connector_calls_of on connector_calls (owner_id, connector, at, id);
create index connector_calls_age on connector_calls (at);

-- A batch; p_calls [{...}] as the columns. Repeats are ignored.
create function af_record_connector_calls(p_calls json) returns void language plpgsql as $$
begin
  insert into connector_calls (id, owner_id, connector, version_id, endpoint, run_id, step_path, origin, method, status, outcome,
      latency_ms, bytes, items, cache, attempt, page, body, at)
    select c.id, c.owner_id, c.connector, c.version_id, c.endpoint, c.run_id, c.step_path, c.origin, c.method, c.status,
        c.outcome, c.latency_ms, c.bytes, c.items, c.cache, c.attempt, c.page, c.body, c.at
      from json_to_recordset(p_calls) as c (id uuid, owner_id uuid, connector text, version_id uuid, endpoint text, run_id uuid,
        step_path text, origin text, method text, status integer, outcome text, latency_ms integer, bytes integer,
        items integer, cache text, attempt integer, page integer, body text, at timestamptz)
      join users u on u.id = c.owner_id
    on conflict (id) do nothing;
end $$;

-- ── credentials ─────────────────────────────────────────────────────────────────────────────────
-- What the source said last about the credential that a connector sends; '' without one.
create table connector_bindings (
  owner_id uuid not null references users (id),
  connector text not null,
  credential text not null default '',
  state text not null check (state in ('ok', 'auth_failed')),
  status integer,
  endpoint text,
  since timestamptz not null default clock_timestamp(),
  primary key (owner_id, connector, credential)
);

-- Reports what a source said. The first refusal after a success (or ever) is told to the owner. True: the state changed.
create function af_connector_auth(p_owner uuid, p_connector text, p_credential text, p_failed boolean, p_status integer,
  p_endpoint text, p_notification uuid, p_title text, p_body text) returns boolean language plpgsql as $$
begin
  if not p_failed then
    update connector_bindings set state = 'ok', status = null, endpoint = null, since = clock_timestamp()
      where owner_id = p_owner and connector = p_connector and credential = p_credential and state <> 'ok';
    return found;
  end if;
  insert into connector_bindings as b (owner_id, connector, credential, state, status, endpoint)
    values (p_owner, p_connector, p_credential, 'auth_failed', p_status, p_endpoint)
    on conflict (owner_id, connector, credential) do update set state = 'auth_failed', status = excluded.status,
        endpoint = excluded.endpoint, since = clock_timestamp()
      where b.state <> 'auth_failed';
  if not found then
    return false;
  end if;
  insert into notifications (id, owner_id, kind, title, body)
    values (p_notification, p_owner, 'connector_auth_failed', p_title, p_body);
  return true;
end $$;

-- Imported definitions were written by somebody else: their first version is not trusted either.
alter table connectors add column imported_at timestamptz;

-- Origins that secrets of a connector may go to, confirmed by the owner of the secrets. Those that he wrote the
-- connector with need no confirmation.
create table connector_confirmations (
  id uuid primary key,
  owner_id uuid not null references users (id),
  connector text not null,
  origins text[] not null,
  confirmed_at timestamptz not null default clock_timestamp()
);
create unique index connector_confirmations_of on connector_confirmations (owner_id, connector, origins);

-- All that a call must know before it may send a secret: what is confirmed, and what the connector began with.
create function af_confirmations(p_owner uuid, p_version uuid) returns table (connector text, imported boolean,
  first_definition json, confirmed json) language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select c.slug, c.imported_at is not null, f.definition,
        coalesce((select json_agg(o.origins order by o.confirmed_at, o.id) from connector_confirmations o
          where o.owner_id = p_owner and o.connector = c.slug), '[]')
      from connector_versions v join connectors c on c.id = v.connector_id
      join lateral (select w.definition from connector_versions w where w.connector_id = c.id order by w.version_no limit 1) f
        on true
      where v.id = p_version and v.owner_id = p_owner;
end $$;

do $$
declare
  v_table text;
begin
  foreach v_table in array array['connector_calls', 'connector_bindings', 'connector_confirmations'] loop
    execute format('alter table %I enable row level security', v_table);
    execute format('alter table %I force row level security', v_table);
    execute format('create policy %I on %I to af_migrate using (true) with check (true)', v_table || '_af_migrate', v_table);
    execute format('create policy %I on %I to af_app using (owner_id = (select app_uid()))
      with check (owner_id = (select app_uid()))', v_table || '_af_app', v_table);
    execute format('grant select on %I to af_app', v_table);
  end loop;
end $$;
grant insert on connector_confirmations to af_app;

-- A new value, or none: what the old one fetched goes, and what was said about it.
create function af_secret_changed() returns trigger language plpgsql as $$
begin
  delete from connector_cache where owner_id = old.owner_id and credential = old.name;
  delete from connector_bindings where owner_id = old.owner_id and credential = old.name;
  return null;
end $$;
create trigger secret_rotated after update on secrets for each row when (old.version is distinct from new.version)
  execute function af_secret_changed();
create trigger secret_deleted after delete on secrets for each row execute function af_secret_changed();

-- ── health ──────────────────────────────────────────────────────────────────────────────────────
-- Of the last day: latency and errors of what really left, use of limits, breakers. A common bucket shows what all used.
create function app_connector_health(p_connector text) returns json language plpgsql stable as $$
declare
  v_health json;
begin
  with calls as materialized (
    select * from connector_calls c where c.owner_id = app_uid() and c.connector = p_connector
      and c.at > clock_timestamp() - interval '1 day'),
  sent as (select * from calls where cache not in ('hit', 'stale')),
  origins as (select distinct origin from calls)
  select json_build_object(
    'calls', (select count(*) from calls),
    'requests', (select count(*) from sent),
    'failed', (select count(*) from sent where outcome <> 'ok'),
    'error_rate', (select round(count(*) filter (where outcome <> 'ok') / nullif(count(*), 0)::numeric, 4) from sent),
    'cache_hits', (select count(*) from calls where cache in ('hit', 'revalidated')),
    'stale_answers', (select count(*) from calls where cache = 'stale'),
    'latency_p50_ms', (select percentile_cont(0.5) within group (order by latency_ms) from sent where status is not null),
    'latency_p95_ms', (select percentile_cont(0.95) within group (order by latency_ms) from sent where status is not null),
    'last_call_at', (select max(at) from calls),
    'last_error', (select json_build_object('code', outcome, 'endpoint', endpoint, 'at', at) from sent where outcome <> 'ok'
      order by at desc, id desc limit 1),
    'breakers', coalesce((select json_agg(json_build_object('origin', b.origin, 'state', case
          when b.open_until is null then 'closed' when b.open_until > clock_timestamp() then 'open' else 'half_open' end,
          'failures', b.failures, 'open_until', b.open_until) order by b.origin, b.key)
        from connector_breakers b where b.owner_id = app_uid() and b.origin in (select origin from origins)), '[]'),
    'limits', coalesce((select json_agg(json_build_object('origin', b.origin, 'shared', b.owner_id is null,
          'blocked_until', case when b.blocked_until > clock_timestamp() then b.blocked_until end,
          'used', (select coalesce(json_object_agg(u.period, u.used), '{}') from (
            select u.period, sum(u.used) as used from connector_bucket_use u cross join lateral af_period(u.period) p
              where u.key = b.key and (u.slice + 1) * p.slice + p.length > extract(epoch from clock_timestamp()) * 1000
              group by u.period) u)) order by b.origin, b.key)
        from connector_buckets b where (b.owner_id = app_uid() or b.owner_id is null)
          and b.origin in (select origin from origins)), '[]'),
    'credentials', coalesce((select json_agg(json_build_object('credential', nullif(s.credential, ''), 'state', s.state,
          'status', s.status, 'endpoint', s.endpoint, 'since', s.since) order by s.credential)
        from connector_bindings s where s.owner_id = app_uid() and s.connector = p_connector), '[]'))
    into v_health;
  return v_health;
end $$;

-- ── runs ────────────────────────────────────────────────────────────────────────────────────────
-- Calls of connectors are events of their steps; the run's row sums them up when it closes.
create index run_events_calls on run_events (run_id) where type = 'source.called';

create function af_sum_up_calls() returns trigger language plpgsql as $$
begin
  new.connectors_called := coalesce((
    select json_agg(json_build_object('connector', s.connector, 'endpoint', s.endpoint, 'calls', s.calls, 'failed', s.failed,
        'requests', s.requests, 'stale', s.stale) order by s.connector, s.endpoint)
      from (select e.payload ->> 'connector' as connector, e.payload ->> 'endpoint' as endpoint, count(*) as calls,
          count(*) filter (where e.payload ->> 'outcome' <> 'ok') as failed,
          coalesce(sum((e.payload ->> 'requests')::integer), 0) as requests,
          count(*) filter (where e.payload ->> 'stale_seconds' is not null) as stale
        from run_events e where e.run_id = new.id and e.type = 'source.called' group by 1, 2) s), '[]');
  return new;
end $$;
create trigger runs_sum_up_calls before update on runs for each row
  when (af_closed(new.status) and not af_closed(old.status)) execute function af_sum_up_calls();

-- A step waits for a source: its attempt ends with its worker alive, and what had left was refused, so nothing of it happened.
create function af_wait_step(p_run uuid, p_effect_key text, p_try_no integer, p_worker text) returns void
language plpgsql as $$
begin
  update step_attempts set released = least(starts, released + 1), worker = null,
      resolution = case when effect_sent_count > 0 then 'not_done' else resolution end
    where run_id = p_run and effect_key = p_effect_key and try_no = p_try_no and worker = p_worker;
end $$;

-- ── age ─────────────────────────────────────────────────────────────────────────────────────────
-- What has served its time, a piece at a time; true: there is more.
create function af_sweep_connectors(p_days integer, p_limit integer) returns boolean language plpgsql as $$
declare
  v_gone bigint := 0;
  v_count bigint;
begin
  delete from connector_calls where id in (select id from connector_calls
    where at < clock_timestamp() - make_interval(days => p_days) order by at limit p_limit);
  get diagnostics v_gone = row_count;
  delete from connector_cache where id in (select id from connector_cache where drop_at < clock_timestamp()
    order by drop_at limit p_limit);
  get diagnostics v_count = row_count;
  v_gone := greatest(v_gone, v_count);
  delete from connector_breakers where key in (select key from connector_breakers
    where updated_at < clock_timestamp() - interval '1 day' order by updated_at limit p_limit);
  -- A month's window is the longest.
  delete from connector_buckets where key in (select key from connector_buckets
    where updated_at < clock_timestamp() - interval '32 days' order by updated_at limit p_limit);
  delete from connector_bucket_use u where not exists (select from connector_buckets b where b.key = u.key);
  delete from connector_askers a where a.asked_at < clock_timestamp() - interval '1 hour';
  delete from connector_slots where expires_at < clock_timestamp() - interval '1 hour';
  return v_gone >= p_limit;
end $$;

-- ── who may call what ───────────────────────────────────────────────────────────────────────────
do $$
declare
  v record;
  v_login constant text[] := array['af_lease_requests', 'af_hold_slots', 'af_block_bucket', 'af_breaker', 'af_cached',
    'af_cache_answer', 'af_revive_answer', 'af_drop_answers', 'af_record_connector_calls', 'af_connector_auth',
    'af_confirmations', 'af_wait_step', 'af_sweep_connectors'];
  v_app constant text[] := array['app_connector_health'];
  v_own constant text[] := array['af_secret_changed', 'af_sum_up_calls'];
begin
  for v in select p.oid::regprocedure as name, p.proname from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname = any(v_login || v_app || v_own)
  loop
    execute format('alter function %s security definer', v.name);
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', v.name);
    if v.proname = any(v_login || v_app) then
      execute format('grant execute on function %s to %s', v.name,
        case when v.proname = any(v_login) then 'af_login' else 'af_app' end);
    end if;
  end loop;
end $$;
reset role;
