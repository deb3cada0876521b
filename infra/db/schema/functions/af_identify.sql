-- Returns whose credential this is and what it may do; no row where it is unknown, ended or of an inactive account. `token`: the session
-- that a signed access token names.
create function af_identify(p_means text, p_ref text, p_user uuid) returns table (user_id uuid, handle text, kind text,
  scopes text[], session_id uuid, key_id uuid, key_scopes text[], read_only boolean, may_decide boolean, objects uuid[])
language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
  v_session uuid;
begin
  if p_means = 'key' then
    update api_keys k set last_used_at = v_now where k.hash = p_ref
      and (k.last_used_at is null or k.last_used_at < v_now - interval '1 minute');
    return query select u.id, u.handle, u.kind, u.scopes, null::uuid, k.id, k.scopes, k.read_only, k.may_decide, k.objects
      from api_keys k join users u on u.id = k.owner_id
      where k.hash = p_ref and k.revoked_at is null and (k.expires_at is null or k.expires_at > v_now)
        and u.status = 'active';
    return;
  end if;
  if p_means = 'cookie' then
    select s.id into v_session from sessions s where s.secret_hash = p_ref;
  else
    select s.id into v_session from sessions s where s.id = p_ref::uuid and s.kind = 'token' and s.owner_id = p_user;
  end if;
  update sessions s set last_seen_at = v_now where s.id = v_session and s.last_seen_at < v_now - interval '1 minute';
  return query select u.id, u.handle, u.kind, u.scopes, s.id, null::uuid, null::text[], false, true, null::uuid[]
    from sessions s join users u on u.id = s.owner_id
    where s.id = v_session and s.revoked_at is null and s.expires_at > v_now and u.status = 'active';
end $$;
