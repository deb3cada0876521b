-- Begins a sign-in: returns the account of a handle with its password's hash, and the number of this attempt. The attempt counts as failed
-- until af_end_login, so that a crash cannot hide it. After too many failures of the account or the peer it returns only the time to wait.
create function af_begin_login(p_handle text, p_peer text, p_per_account integer, p_per_peer integer, p_seconds integer)
returns table (attempt bigint, wait_seconds integer, user_id uuid, hash text) language plpgsql rows 1
  security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  v_since constant timestamptz := clock_timestamp() - make_interval(secs => p_seconds);
  v_oldest timestamptz;
  v_attempt bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('login ' || p_handle, 0));
  delete from login_attempts where at < v_since - interval '1 day';
  select max(at) into v_oldest from (
    (select at from login_attempts where not ok and account = p_handle and at > v_since
      order by at desc offset p_per_account - 1 limit 1)
    union all
    (select at from login_attempts where not ok and peer = p_peer and at > v_since
      order by at desc offset p_per_peer - 1 limit 1)) as full_windows;
  if v_oldest is not null then
    return query select null::bigint, ceil(extract(epoch from v_oldest - v_since))::integer, null::uuid, null::text;
    return;
  end if;
  insert into login_attempts (account, peer) values (p_handle, p_peer) returning id into v_attempt;
  return query select v_attempt, null::integer, u.id, p.hash from (select 1) as one
    left join users u on u.handle = p_handle and u.status = 'active'
    left join passwords p on p.owner_id = u.id;
end $$;
