-- The stream of everything that somebody may see has the runs of his teams as well: how they stand and how they end, as the
-- lists show it. What their steps say stays with whoever started them.
set local role af_migrate;

-- Set for what is about a run as a whole, where the run is one of a team's.
alter table run_events add column team_id uuid;
create function af_event_of_team() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  select r.team_id into new.team_id from runs r where r.id = new.run_id;
  return new;
end $$;
create trigger event_of_team before insert on run_events for each row
  when (new.type in ('run.status', 'complete')) execute function af_event_of_team();
create index run_events_of_team on run_events (team_id, xid, run_id, seq) where team_id is not null;

-- As runs_af_app_team says it (0020), for somebody who is not asking.
create function af_sees_team_run(p_reader uuid, p_run uuid) returns boolean language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return exists (select from runs r where r.id = p_run and r.team_id is not null and (r.profile_owner_id = p_reader
    or exists (select from agent_team_shares s join agent_profiles p on p.id = s.profile_id
        join teams t on t.id = s.team_id join team_members m on m.team_id = t.id
      where s.profile_id = r.profile_id and s.team_id = r.team_id and s.is_active and p.deleted_at is null
        and t.deleted_at is null and m.user_id = p_reader
        and (s.journal_visibility = 'full' or s.journal_visibility = 'own_and_scheduled'
          and r.run_context in ('background', 'scheduled', 'monitor')))));
end $$;

-- As in 0022, and for each reader what his teams' runs say: one look at an index for each team.
create or replace function af_owner_events(p_owners uuid[], p_xids xid8[], p_runs uuid[], p_after bigint[], p_each integer,
  p_all integer) returns table (no bigint, horizon text, xid text, run_id uuid, seq bigint, type text, step_path text,
  payload json, at timestamptz) language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select w.no, h.horizon::text, e.xid::text, e.run_id, e.seq, e.type, e.step_path, e.payload, e.at
    from (select pg_snapshot_xmin(pg_current_snapshot()) as horizon) h
    cross join unnest(p_owners, p_xids, p_runs, p_after) with ordinality as w (owner, xid, run, after, no)
    left join lateral (
      (select r.xid, r.run_id, r.seq, r.type, r.step_path, r.payload, r.at from run_events r
        where r.owner_id = w.owner and (r.xid, r.run_id, r.seq) > (w.xid, w.run, w.after) and r.xid < h.horizon
        order by r.xid, r.run_id, r.seq limit p_each)
      union all
      (select o.* from (
          select m.team_id from team_members m where m.user_id = w.owner
          union select s.team_id from agent_team_shares s where s.owner_id = w.owner) t
        cross join lateral (select r.xid, r.run_id, r.seq, r.type, r.step_path, r.payload, r.at from run_events r
          where r.team_id = t.team_id and (r.xid, r.run_id, r.seq) > (w.xid, w.run, w.after) and r.xid < h.horizon
            and r.owner_id <> w.owner and af_sees_team_run(w.owner, r.run_id)
          order by r.xid, r.run_id, r.seq limit p_each) o)
      order by 1, 2, 3 limit p_each) e on true
    limit p_all;
end $$;
create index agent_team_shares_owner on agent_team_shares (owner_id, team_id);

reset role;
