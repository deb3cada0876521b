-- Appends [{id, type, step_path, payload}] after p_seq and returns the new seq. The caller holds the run's row.
create function af_append(p_run uuid, p_owner uuid, p_seq bigint, p_events json) returns bigint language plpgsql as $$
declare
  v_event record;
  v_seq bigint := p_seq;
begin
  if p_events is null then
    return p_seq;
  end if;
  -- Row by row: a set-based anti-join is planned for a hundred events and then reads the run's whole log.
  for v_event in
    select * from json_to_recordset(p_events) as e (id text, type text, step_path text, payload text)
  loop
    insert into run_events (run_id, seq, event_id, owner_id, type, step_path, payload)
    values (p_run, v_seq + 1, v_event.id, p_owner, v_event.type, v_event.step_path, v_event.payload::json)
    on conflict (run_id, event_id) do nothing;
    if found then
      v_seq := v_seq + 1;
    end if;
  end loop;
  return v_seq;
end $$;
