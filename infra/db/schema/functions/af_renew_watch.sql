-- Extends the watch of runs. A run whose row is locked is left for the next time: no step waits for another run's lock.
create function af_renew_watch(p_seconds integer, p_runs uuid[]) returns table (id uuid, closed boolean, renewed boolean)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
