-- Returns the position below which every event is committed or rolled back. `stamp` identifies this installation and its history:
-- transaction ids of another one, or of a restored backup, mean nothing here.
create function af_events_horizon() returns table (stamp text, horizon text) language plpgsql stable rows 1
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query
    select left(md5(s.system_identifier || '/' || c.timeline_id || '/' || d.oid), 12),
        pg_snapshot_xmin(pg_current_snapshot())::text
      from pg_control_system() s, pg_control_checkpoint() c, pg_database d where d.datname = current_database();
end $$;
