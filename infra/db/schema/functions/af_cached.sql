-- Returns a kept answer, and notes the use at most once a minute to keep reads cheap.
create function af_cached(p_owner uuid, p_version uuid, p_digest text, p_keyless boolean) returns table (status integer,
  headers json, url text, body text, age_ms bigint, fresh boolean, usable boolean) language plpgsql volatile
  security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  v_found record;
begin
  select c.id, c.used_at into v_found from af_cache_place(p_owner, p_version, p_digest, p_keyless) p
    join connector_cache c on c.key = p.key and c.owner_id is not distinct from p.owner_id
    where p.key is not null and c.drop_at > clock_timestamp();
  if v_found.used_at < clock_timestamp() - interval '1 minute' then
    update connector_cache set used_at = clock_timestamp() where id = v_found.id;
  end if;
  return query
    select c.status, c.headers, c.url, encode(c.body, 'base64'),
        floor(extract(epoch from clock_timestamp() - c.stored_at) * 1000)::bigint, c.fresh_until > clock_timestamp(),
        c.stale_until > clock_timestamp()
      from connector_cache c where c.id = v_found.id;
end $$;
