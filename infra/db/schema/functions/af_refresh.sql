-- Exchanges a refresh token for the next one. A token that was used before ends the whole family, unless it was used a moment ago: two tabs
-- of one browser may refresh at the same time.
create function af_refresh(p_hash text, p_next text, p_grace integer) returns table (outcome text, user_id uuid, handle text,
  scopes text[], session_id uuid, expires_at timestamptz) language plpgsql rows 1
  security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
  v_token refresh_tokens;
  v_session sessions;
  v_user users;
begin
  select * into v_token from refresh_tokens where hash = p_hash for update;
  if not found then
    return query select 'unknown', null::uuid, null, null::text[], null::uuid, null::timestamptz;
    return;
  end if;
  select * into v_session from sessions s where s.id = v_token.session_id for update;
  select * into v_user from users u where u.id = v_token.owner_id for share;
  if v_session.revoked_at is not null or v_session.expires_at <= v_now or v_token.expires_at <= v_now
    or v_user.status <> 'active' then
    return query select 'ended', v_user.id, v_user.handle, null::text[], v_session.id, null::timestamptz;
    return;
  end if;
  if v_token.used_at < v_now - make_interval(secs => p_grace) then
    update sessions set revoked_at = v_now, revoked_why = 'refresh_token_reused' where id = v_session.id;
    return query select 'reused', v_user.id, v_user.handle, null::text[], v_session.id, null::timestamptz;
    return;
  end if;
  update refresh_tokens set used_at = coalesce(used_at, v_now) where hash = p_hash;
  update sessions set last_seen_at = v_now where id = v_session.id;
  insert into refresh_tokens (hash, session_id, owner_id, expires_at)
    values (p_next, v_session.id, v_user.id, v_session.expires_at);
  return query select 'ok', v_user.id, v_user.handle, v_user.scopes, v_session.id, v_session.expires_at;
end $$;
