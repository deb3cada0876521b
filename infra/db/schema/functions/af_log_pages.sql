-- Returns the next events of each position, at most p_each of one and p_all together. The lateral limit keeps the plan a loop of index
-- scans, so that the rows of one reader come in the order of seq.
create function af_log_pages(p_runs uuid[], p_owners uuid[], p_after bigint[], p_each integer, p_all integer)
returns table (no bigint, run_id uuid, seq bigint, type text, step_path text, payload json, at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select w.no, e.run_id, e.seq, e.type, e.step_path, e.payload, e.at
    from unnest(p_runs, p_owners, p_after) with ordinality as w (run, owner, after, no)
    cross join lateral (select * from run_events where run_id = w.run and owner_id = w.owner and seq > w.after
      order by seq limit p_each) e
    limit p_all;
end $$;
