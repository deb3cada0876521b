-- Ends the wait of an approval without a decision: `timed_out` or `cancelled`. Only a waiting one changes: whoever comes first wins.
-- Returns the outcome; null: unknown approval.
create function af_settle_approval(p_approval uuid, p_status text) returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run record;
  v_row approvals;
  v_seq bigint;
begin
  select r.id, r.owner_id, r.status, r.seq, r.watched_until into v_run from runs r
    where r.id = (select run_id from approvals where id = p_approval) for no key update;
  if not found then
    return null;
  end if;
  update approvals set status = p_status, decided_at = clock_timestamp()
    where id = p_approval and status = 'waiting' returning * into v_row;
  if not found then
    select * into v_row from approvals where id = p_approval;
  elsif not af_closed(v_run.status) then
    v_seq := af_append(v_run.id, v_run.owner_id, v_run.seq, json_build_array(af_decided_event(v_row, 'timer')));
    perform af_touch(v_run.id, v_run.seq, v_seq, null, v_run.watched_until);
  end if;
  return af_approval_outcome(v_row);
end $$;
