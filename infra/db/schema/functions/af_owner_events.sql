-- Returns to each reader the new events of their own runs and of their teams' runs, in the order of the log: one index scan for each team.
create function af_owner_events(p_owners uuid[], p_xids xid8[], p_runs uuid[], p_after bigint[], p_each integer,
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
        where uuid_hash_extended(r.owner_id, 0) = uuid_hash_extended(w.owner, 0) and r.owner_id = w.owner
          and (r.xid, r.run_id, r.seq) > (w.xid, w.run, w.after) and r.xid < h.horizon
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
