-- Keeps an answer of a source. Above owner_bytes (for an owner's answers, or for the shared ones) it drops the least recently used answers
-- of writers who have more than their share: a heavy writer displaces only their own.
create function af_cache_answer(p_answer json, p_body text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new constant af_new_answer := json_populate_record(null::af_new_answer, p_answer);
  v_owner uuid;
  v_key text;
  v_body constant bytea := decode(p_body, 'base64');
  v_bytes bigint;
  v_writers integer;
begin
  select p.owner_id, p.key into v_owner, v_key from af_cache_place(v_new.owner, v_new.version, v_new.digest, v_new.keyless) p;
  if v_key is null then
    return;
  end if;
  insert into connector_cache as c (owner_id, writer_id, key, connector, endpoint, credential, credential_version, status,
    headers,
      url, body, size, fresh_until, stale_until, drop_at)
    values (v_owner, v_new.owner, v_key, v_new.connector, v_new.endpoint, v_new.credential,
      v_new.credential_version, v_new.status, v_new.headers::json, v_new.url,
      v_body, length(v_body), clock_timestamp() + make_interval(secs => v_new.ttl), clock_timestamp() + make_interval(secs =>
        v_new.ttl + v_new.stale),
      clock_timestamp() + make_interval(secs => v_new.ttl + v_new.drop))
    on conflict (coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), key) do update set status = excluded.status,
      headers = excluded.headers, url = excluded.url, body = excluded.body, size = excluded.size, writer_id = excluded.writer_id,
      credential = excluded.credential, credential_version = excluded.credential_version, connector = excluded.connector,
      endpoint = excluded.endpoint, stored_at = clock_timestamp(),
      used_at = clock_timestamp(), fresh_until = excluded.fresh_until, stale_until = excluded.stale_until, drop_at =
        excluded.drop_at;
  select sum(size), count(distinct writer_id) into v_bytes, v_writers from connector_cache
    where owner_id is not distinct from v_owner;
  if v_bytes > v_new.owner_bytes then
    delete from connector_cache c using (
        select id, sum(size) over (partition by writer_id order by used_at desc, id desc) as held from connector_cache
          where owner_id is not distinct from v_owner) o
      where c.id = o.id and o.held > v_new.owner_bytes / v_writers;
  end if;
end $$;
