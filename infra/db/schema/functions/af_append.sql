-- Appends events [{id, type, step_path, payload}] after p_seq and returns the new seq. The caller holds the lock of the run's row.
create function af_append(p_run uuid, p_owner uuid, p_seq bigint, p_events json) returns bigint language plpgsql as $$
declare
  v_event record;
  v_seq bigint := p_seq;
begin
  if p_events is null then
    return p_seq;
  end if;
  if p_seq = 0 then
    -- Inserts without a look-up where the log is empty: only events of this call can be the same.
    insert into run_events (run_id, seq, event_id, owner_id, type, step_path, payload)
      select p_run, row_number() over (order by e.no), e.id, p_owner, e.type, e.step_path, e.payload::json
        from (select distinct on (r.id) r.* from rows from (json_to_recordset(p_events) as (id text, type text, step_path text,
          payload text)) with ordinality as r (id, type, step_path, payload, no) order by r.id, r.no) e;
    get diagnostics v_seq = row_count;
    return v_seq;
  end if;
  -- Inserts row by row: a set-based anti-join is planned for a hundred events and then reads the run's whole log.
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
