-- The stream of everything that a person may see, and a cap on the runs of one owner that run at the same time.
set local role af_migrate;

-- ── the log of all runs in one order ────────────────────────────────────────────────────────────
-- The transaction that wrote an event. Commits come in another order than ids, but below the oldest transaction that is
-- still under way nothing can be added any more: whoever reads up to there, by (xid, run, seq), misses nothing and sees
-- nothing twice. Rows that are there already take the id of this migration, without being rewritten: they lie before all
-- that follow, each run's in its order.
alter table run_events add column xid xid8 not null default pg_current_xact_id();
create index run_events_of_owner on run_events (owner_id, xid, run_id, seq);

-- Where the stream stands: everything below the horizon is committed or gone. `stamp` names this installation and its
-- history: transaction ids of another one, or of a backup that was put back, mean nothing here.
create function af_events_horizon() returns table (stamp text, horizon text) language plpgsql stable rows 1 as $$
begin
  return query
    select left(md5(s.system_identifier || '/' || c.timeline_id || '/' || d.oid), 12),
        pg_snapshot_xmin(pg_current_snapshot())::text
      from pg_control_system() s, pg_control_checkpoint() c, pg_database d where d.datname = current_database();
end $$;

-- What each owner has not seen yet, below the horizon of this moment: at most p_each rows for one and p_all for all. An
-- owner without news has one row without an event; one that is not in the answer was not read.
create function af_owner_events(p_owners uuid[], p_xids xid8[], p_runs uuid[], p_after bigint[], p_each integer,
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

-- Whether each may still read what he follows: a run, or (null) whatever is his.
create function af_may_read(p_users uuid[], p_runs uuid[]) returns table (no bigint, may boolean)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select w.no, case when w.run is null then exists (select from users where id = w.reader and status = 'active')
        else exists (select from runs r join users u on u.id = r.owner_id and u.status = 'active'
          where r.id = w.run and r.owner_id = w.reader) end
    from unnest(p_users, p_runs) with ordinality as w (reader, run, no);
end $$;

do $$
declare
  v record;
begin
  for v in select p.oid::regprocedure as name from pg_proc p where p.pronamespace = 'public'::regnamespace
    and p.proname in ('af_events_horizon', 'af_owner_events', 'af_may_read')
  loop
    execute format('alter function %s security definer', v.name);
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', v.name);
    execute format('grant execute on function %s to af_login', v.name);
  end loop;
end $$;

-- ── the cap on running runs ─────────────────────────────────────────────────────────────────────
-- What counts: runs that run, and those that are about to. Runs that wait for a person do not.
create index runs_active on runs (owner_id)
  where status in ('pending', 'running') and status_code is distinct from 'owner_cap';
create index runs_held on runs (owner_id, created_at, id) where status = 'pending' and status_code = 'owner_cap';

-- Starts of one owner, and the sweeper's look at them, go one after the other.
create function af_lock_starts(p_owner uuid) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(22, hashtext(p_owner::text));
end $$;

-- How many more runs of an owner may begin now.
create function af_owner_room(p_owner uuid, p_cap integer) returns integer language plpgsql as $$
begin
  return p_cap - (select count(*) from (select from runs
    where owner_id = p_owner and status in ('pending', 'running') and status_code is distinct from 'owner_cap'
    limit p_cap) a);
end $$;

-- A new run above the cap, or behind others that wait for room, is held: the sweeper lets it go. Whoever makes runs sets
-- `af.owner_running_cap` for its connection; without it nothing is held. A child is its parent's matter: held back, it
-- would keep the parent running for nothing.
create function af_hold_run() returns trigger language plpgsql as $$
declare
  v_cap constant integer := nullif(current_setting('af.owner_running_cap', true), '')::integer;
begin
  if v_cap is null or new.parent_run_id is not null or new.status <> 'pending' then
    return new;
  end if;
  perform af_lock_starts(new.owner_id);
  if exists (select from runs where owner_id = new.owner_id and status = 'pending' and status_code = 'owner_cap')
    or af_owner_room(new.owner_id, v_cap) <= 0 then
    new.status_code := 'owner_cap';
    new.status_message := format('%s runs of this owner may run at the same time: this one waits until it is its turn.', v_cap);
    new.waits := json_build_array(json_build_object('kind', 'owner_cap', 'code', 'owner_cap', 'message', new.status_message,
      'since', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'until', null));
  end if;
  return new;
end $$;
create trigger runs_hold before insert on runs for each row execute function af_hold_run();
grant execute on function af_lock_starts(uuid), af_owner_room(uuid, integer) to af_system;
reset role;
