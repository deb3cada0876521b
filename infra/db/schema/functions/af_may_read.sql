-- Tests for each follower whether they may still read a run, or (null) everything of their own.
create function af_may_read(p_users uuid[], p_runs uuid[]) returns table (no bigint, may boolean)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select w.no, case when w.run is null then exists (select from users where id = w.reader and status = 'active')
        else exists (select from runs r join users u on u.id = r.owner_id and u.status = 'active'
          where r.id = w.run and r.owner_id = w.reader) end
    from unnest(p_users, p_runs) with ordinality as w (reader, run, no);
end $$;
