-- Returns the recorded result that answers a try: the success of any try, else the result of this one.
create function af_recorded(p_run uuid, p_effect_key text, p_try_no integer) returns json language plpgsql stable as $$
declare
  v_row step_results;
begin
  select * into v_row from step_results r
    where r.run_id = p_run and r.effect_key = p_effect_key and (r.status = 'ok' or r.try_no = p_try_no)
    order by (r.status = 'ok') desc, r.try_no limit 1;
  if not found then
    return null;
  end if;
  return json_build_object('status', v_row.status, 'try_no', v_row.try_no, 'output', v_row.output, 'error', v_row.error,
    'started_at', v_row.started_at, 'finished_at', v_row.finished_at);
end $$;
