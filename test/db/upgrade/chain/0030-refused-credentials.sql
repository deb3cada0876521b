-- What a refusal of a source may set off. Whoever runs a shared profile can make a source refuse its owner's credential as often as
-- he likes.
set local role af_migrate;

alter table connector_bindings add column notified_at timestamptz;
update connector_bindings set notified_at = since where state = 'auth_failed';

-- As before; the owner hears of it once an hour at most. A failure that began in that hour and lasts is told after it.
create or replace function af_connector_auth(p_owner uuid, p_connector text, p_credential text, p_failed boolean,
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

-- What an answer was fetched with. Those that are there do not say it: they are fetched again.
delete from connector_cache;
alter table connector_cache add column endpoint text not null default '', add column credential_version text not null default '';

-- As before, with endpoint and version of the secret.
drop function af_cache_answer(uuid, uuid, text, boolean, text, text, integer, json, text, text, integer, integer, integer, bigint);
create function af_cache_answer(p_owner uuid, p_version uuid, p_digest text, p_keyless boolean, p_connector text,
  p_credential text, p_status integer, p_headers json, p_url text, p_body text, p_ttl integer, p_stale integer,
  p_drop integer, p_owner_bytes bigint, p_endpoint text default '', p_credential_version text default '') returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_owner uuid;
  v_key text;
  v_body constant bytea := decode(p_body, 'base64');
begin
  select p.owner_id, p.key into v_owner, v_key from af_cache_place(p_owner, p_version, p_digest, p_keyless) p;
  if v_key is null then
    return;
  end if;
  insert into connector_cache as c (owner_id, key, connector, endpoint, credential, credential_version, status, headers, url,
      body, size, fresh_until, stale_until, drop_at)
    values (v_owner, v_key, p_connector, p_endpoint, p_credential, p_credential_version, p_status, p_headers, p_url, v_body,
      length(v_body), clock_timestamp() + make_interval(secs => p_ttl),
      clock_timestamp() + make_interval(secs => p_ttl + p_stale),
      clock_timestamp() + make_interval(secs => p_ttl + p_drop))
    on conflict (coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), key) do update set status = excluded.status,
      headers = excluded.headers, url = excluded.url, body = excluded.body, size = excluded.size,
      credential = excluded.credential, credential_version = excluded.credential_version, connector = excluded.connector,
      endpoint = excluded.endpoint, stored_at = clock_timestamp(),
      fresh_until = excluded.fresh_until, stale_until = excluded.stale_until, drop_at = excluded.drop_at;
  delete from connector_cache c using (
      select id, sum(size) over (order by stored_at desc, id desc) as held from connector_cache
        where owner_id is not distinct from v_owner) o
    where c.id = o.id and o.held > p_owner_bytes;
end $$;

-- A credential that is refused takes its answers with it: they may not be shown to whoever lost the right to them. Where only an
-- endpoint refuses it, those of that endpoint that this version of it has fetched.
drop function af_drop_answers(uuid, text, text);
create function af_drop_answers(p_owner uuid, p_connector text, p_credential text, p_endpoint text default null,
  p_credential_version text default null) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from connector_cache where owner_id = p_owner and connector = p_connector and credential = p_credential
    and (p_endpoint is null or endpoint = p_endpoint)
    and (p_credential_version is null or credential_version = p_credential_version);
end $$;

grant execute on function af_cache_answer(uuid, uuid, text, boolean, text, text, integer, json, text, text, integer, integer,
  integer, bigint, text, text), af_drop_answers(uuid, text, text, text, text) to af_login;
reset role;
