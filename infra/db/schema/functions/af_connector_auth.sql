-- Reports what a source said. The first refusal after a success (or ever) is told to the owner. True: the state changed.
create function af_connector_auth(p_owner uuid, p_connector text, p_credential text, p_failed boolean,
  p_status integer, p_endpoint text, p_notification uuid, p_title text, p_body text) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_changed boolean;
begin
  if not p_failed then
    update connector_bindings set state = 'ok', status = null, endpoint = null, since = clock_timestamp()
      where owner_id = p_owner and connector = p_connector and credential = p_credential and state <> 'ok';
    return found;
  end if;
  insert into connector_bindings as b (owner_id, connector, credential, state, status, endpoint)
    values (p_owner, p_connector, p_credential, 'auth_failed', p_status, p_endpoint)
    on conflict (owner_id, connector, credential) do update set state = 'auth_failed', status = excluded.status,
        endpoint = excluded.endpoint, since = clock_timestamp()
      where b.state <> 'auth_failed';
  v_changed := found;
  update connector_bindings set notified_at = clock_timestamp()
    where owner_id = p_owner and connector = p_connector and credential = p_credential and state = 'auth_failed'
      and (notified_at is null or notified_at < since and notified_at < clock_timestamp() - interval '1 hour');
  if found then
    insert into notifications (id, owner_id, kind, title, body)
      values (p_notification, p_owner, 'connector_auth_failed', p_title, p_body);
  end if;
  return v_changed;
end $$;
