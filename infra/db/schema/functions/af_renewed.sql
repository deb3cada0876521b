-- Tests whether a path, or one that it lies in, has the key prefix of that run.
create function af_renewed(p_keys jsonb, p_run uuid, p_path text) returns boolean language plpgsql immutable
  set search_path = pg_catalog, public, pg_temp as $$
declare
  v_path text := p_path;
begin
  while p_keys is not null and v_path is not null loop
    if p_keys ->> v_path = p_run::text then
      return true;
    end if;
    v_path := substring(v_path from '^(.*)[/\[]');
  end loop;
  return false;
end $$;
