-- Books a call of a model before it leaves, since its cost is not known until the answer. An attempt calls one model at a time, so an open
-- call under its key belongs to a lost attempt. Returns the number of the call within the try; null: there is no such run.
create function af_open_model_call(p_call json) returns integer language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new constant af_new_model_call := json_populate_record(null::af_new_model_call, p_call);
  v_no integer;
begin
  perform from runs where id = v_new.run_id and owner_id = v_new.owner for no key update;
  if not found then
    return null;
  end if;
  select call_no into v_no from model_calls where id = v_new.id;
  if found then
    return v_no;
  end if;
  update model_calls set outcome = 'lost'
    where run_id = v_new.run_id and effect_key = v_new.effect_key and outcome = 'open';
  select coalesce(max(call_no), 0) + 1 into v_no from model_calls
    where run_id = v_new.run_id and effect_key = v_new.effect_key and try_no = v_new.try_no;
  insert into model_calls (id, run_id, owner_id, step_path, effect_key, try_no, call_no, provider, model, outcome)
    values (v_new.id, v_new.run_id, v_new.owner, v_new.step_path, v_new.effect_key, v_new.try_no, v_no, v_new.provider,
      v_new.model, 'open');
  update runs set unpriced_calls = unpriced_calls + 1 where id = v_new.run_id;
  return v_no;
end $$;
