-- The sub-playbook of a retry that somebody asked for: a new run that goes on where the earlier one ended, with what the
-- caller found of it to hold again.
create function af_retry_child(p_id uuid, p_owner uuid, p_before uuid, p_parent uuid, p_path text, p_key text, p_from text,
  p_presets json, p_keep text[], p_renewed text[]) returns setof runs language plpgsql rows 1
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_parent runs;
  v_before runs;
begin
  select * into v_parent from runs where id = p_parent and owner_id = p_owner;
  select * into v_before from runs where id = p_before and owner_id = p_owner;
  if v_parent.id is null or v_before.id is null then
    return;
  end if;
  if af_insert_repeat(p_id, v_before, v_parent, p_path, p_key, p_from, p_presets,
      af_keys_of(v_before.effect_keys, p_id, p_renewed), true) then
    perform af_take_over(p_before, p_id, p_keep);
    perform af_ask_again(p_before, p_id);
  end if;
  return query select * from runs where id = p_id and owner_id = p_owner;
end $$;
