-- A session for an account that has just proved who it is. False: the account is not active.
create function af_open_session(p_id uuid, p_owner uuid, p_secret_hash text, p_refresh_hash text, p_client text,
  p_peer text, p_seconds integer) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_until constant timestamptz := clock_timestamp() + make_interval(secs => p_seconds);
begin
  perform from users where id = p_owner and status = 'active' for share;
  if not found then
    return false;
  end if;
  insert into sessions (id, owner_id, kind, secret_hash, client, peer, expires_at)
    values (p_id, p_owner, case when p_secret_hash is null then 'token' else 'browser' end, p_secret_hash, p_client, p_peer,
      v_until);
  if p_refresh_hash is not null then
    insert into refresh_tokens (hash, session_id, owner_id, expires_at) values (p_refresh_hash, p_id, p_owner, v_until);
  end if;
  return true;
end $$;
