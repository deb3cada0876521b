-- Returns the ciphertext of one secret for one call. The binding must allow the endpoint, and the binding or the pinned definition must
-- name the secret; otherwise there is no row. Only the application can decrypt it.
create function af_bound_secret(p_run uuid, p_owner uuid, p_version uuid, p_endpoint text, p_name text)
  returns table (owner_id uuid, ciphertext text, key_id text, allowed_hosts text[], version text)
  language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  v record;
  v_named boolean;
begin
  select * into v from af_bound_connector(p_run, p_owner, p_version);
  if v.outcome is distinct from 'ok' then
    return;
  end if;
  if json_typeof(v.permissions -> 'allowed_endpoints') = 'array' and not exists (
      select from json_array_elements_text(v.permissions -> 'allowed_endpoints') e where e.value = p_endpoint) then
    return;
  end if;
  if exists (select from json_object_keys(v.credentials)) then
    v_named := exists (select from json_each(v.credentials) c where c.value ->> 'secret' = p_name);
  else
    v_named := (select c.definition #>> '{connection,auth,secret,secret}' = p_name from connector_versions c
      where c.id = p_version);
  end if;
  if v_named then
    return query select s.owner_id, encode(s.ciphertext, 'base64'), s.key_id, s.allowed_hosts, s.id || '.' || s.version
      from secrets s where s.owner_id = v.secret_owner and s.name = p_name;
  end if;
end $$;
