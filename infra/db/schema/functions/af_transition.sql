-- Records the engine's transitions before a wait. Returns {control, status, seq, applied}; null: unknown run.
create function af_transition(p_run uuid, p_events json, p_patch json, p_approvals json) returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run record;
  v_seq bigint;
begin
  select owner_id, control, status, seq, watched_until into v_run from runs where id = p_run for no key update;
  if not found then
    return null;
  end if;
  if af_closed(v_run.status) then
    return json_build_object('control', 'cancel', 'status', v_run.status, 'seq', v_run.seq, 'applied', false);
  end if;
  if p_approvals is not null then
    perform af_open_approvals(p_run, v_run.owner_id, p_approvals);
  end if;
  v_seq := af_append(p_run, v_run.owner_id, v_run.seq, p_events);
  perform af_touch(p_run, v_run.seq, v_seq, p_patch, v_run.watched_until);
  return json_build_object('control', v_run.control, 'status', v_run.status, 'seq', v_seq, 'applied', true);
end $$;
