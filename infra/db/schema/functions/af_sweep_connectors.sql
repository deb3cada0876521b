-- Deletes expired connector records in portions; true: more are left.
create function af_sweep_connectors(p_days integer, p_limit integer) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
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
  -- Keeps rows as long as the longest window, a month.
  delete from connector_buckets where key in (select key from connector_buckets
    where updated_at < clock_timestamp() - interval '32 days' order by updated_at limit p_limit);
  delete from connector_bucket_use u where not exists (select from connector_buckets b where b.key = u.key);
  delete from connector_askers a where a.asked_at < clock_timestamp() - interval '1 hour'
    and coalesce(a.back_until, '-infinity') < clock_timestamp();
  delete from connector_slots where expires_at < clock_timestamp() - interval '1 hour';
  return v_gone >= p_limit;
end $$;
