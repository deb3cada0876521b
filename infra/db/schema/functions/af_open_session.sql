-- Opens a session for an account that has just signed in. False: the account is not active.
create function af_open_session(p_session json) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new constant af_new_session := json_populate_record(null::af_new_session, p_session);
  v_until constant timestamptz := clock_timestamp() + make_interval(secs => v_new.seconds);
begin
  perform from users where id = v_new.owner and status = 'active' for share;
  if not found then
    return false;
  end if;
  insert into sessions (id, owner_id, kind, secret_hash, client, peer, expires_at)
    values (v_new.id, v_new.owner, case when v_new.secret_hash is null then 'token' else 'browser' end, v_new.secret_hash, v_new.client, v_new.peer,
      v_until);
  if v_new.refresh_hash is not null then
    insert into refresh_tokens (hash, session_id, owner_id, expires_at) values (v_new.refresh_hash, v_new.id, v_new.owner, v_until);
  end if;
  return true;
end $$;
