-- Derives the prefix of the effect keys of a sub-playbook that a retry begins for the first time. It is the same in every run that
-- continues with these keys, so that a second retry does not repeat an effect. Null: the child uses its own id.
create function af_child_keys(p_root uuid, p_keys jsonb, p_path text) returns uuid language plpgsql immutable
  set search_path = pg_catalog, public, pg_temp as $$
declare
  v_path text := p_path;
  v_root text := p_root;
begin
  while p_keys is not null and v_path is not null loop
    if p_keys ? v_path then
      v_root := p_keys ->> v_path;
      exit;
    end if;
    v_path := substring(v_path from '^(.*)[/\[]');
  end loop;
  return af_shared_key('child:' || v_root || '/' || p_path);
end $$;
