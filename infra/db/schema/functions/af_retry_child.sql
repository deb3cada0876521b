-- Makes the sub-playbook run of a retry that a person asked for: it continues where the earlier one ended and keeps the results that the
-- caller selected.
create function af_retry_child(p_retry json) returns setof runs language plpgsql rows 1
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new constant af_child_retry := json_populate_record(null::af_child_retry, p_retry);
  v_parent runs;
  v_before runs;
begin
  select * into v_parent from runs where id = v_new.parent and owner_id = v_new.owner;
  select * into v_before from runs where id = v_new.before and owner_id = v_new.owner;
  if v_parent.id is null or v_before.id is null then
    return;
  end if;
  if af_insert_repeat(v_new, v_before, v_parent,
      af_keys_of(v_before.effect_keys, case when v_new.shares_keys then af_shared_keys(v_before.id) else v_new.id end,
        v_new.renewed), true) then
    perform af_take_over(v_new.before, v_new.id, v_new.keep);
    perform af_ask_again(v_new.before, v_new.id);
  end if;
  return query select * from runs where id = v_new.id and owner_id = v_new.owner;
end $$;
