-- Returns the state of a run and the first page of its log, and marks it as watched for p_seconds (0: no change).
create function af_open_log(p_seconds integer, p_run uuid, p_owner uuid, p_after bigint, p_limit integer)
returns table (run_seq bigint, run_status text, watched boolean, run_id uuid, seq bigint, type text, step_path text,
  payload json, at timestamptz) language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
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
