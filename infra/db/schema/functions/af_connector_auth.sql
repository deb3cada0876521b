-- Records whether a source accepted a credential. The first refusal after a success (or ever) notifies the owner. True: the state changed.
create function af_connector_auth(p_report json) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_report constant af_auth_report := json_populate_record(null::af_auth_report, p_report);
  v_changed boolean;
begin
  if not v_report.failed then
    update connector_bindings set state = 'ok', status = null, endpoint = null, since = clock_timestamp()
      where owner_id = v_report.owner and connector = v_report.connector and credential = v_report.credential and state <> 'ok';
    return found;
  end if;
  insert into connector_bindings as b (owner_id, connector, credential, state, status, endpoint)
    values (v_report.owner, v_report.connector, v_report.credential, 'auth_failed', v_report.status, v_report.endpoint)
    on conflict (owner_id, connector, credential) do update set state = 'auth_failed', status = excluded.status,
        endpoint = excluded.endpoint, since = clock_timestamp()
      where b.state <> 'auth_failed';
  v_changed := found;
  update connector_bindings set notified_at = clock_timestamp()
    where owner_id = v_report.owner and connector = v_report.connector and credential = v_report.credential and state = 'auth_failed'
      and (notified_at is null or notified_at < since and notified_at < clock_timestamp() - interval '1 hour');
  if found then
    insert into notifications (id, owner_id, kind, title, body)
      values (v_report.notification, v_report.owner, 'connector_auth_failed', v_report.title, v_report.body);
  end if;
  return v_changed;
end $$;
