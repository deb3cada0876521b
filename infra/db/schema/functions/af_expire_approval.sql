-- Handles the timer of a request. Returns null for an unknown request, else {outcome}:
--   timed_out  nobody decided in time; the request ended at its `due_at`
--   decided    the request has ended already; `decisionId` names the decision, if there was one
--   received   decisions arrived in time and are not counted yet: `decisions`, oldest first; the caller counts them and asks again
--   early      `ms` milliseconds are left by the database's clock
--   cancelled  the run was cancelled before the timer was handled
create function af_expire_approval(p_approval uuid) returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run record;
  v_row approvals;
  v_received json;
  v_seq bigint;
begin
  select r.id, r.owner_id, r.status, r.seq, r.control, r.watched_until into v_run from runs r
    where r.id = (select run_id from approvals where id = p_approval) for no key update;
  select * into v_row from approvals where id = p_approval for update;
  if v_row.id is null then
    return null;
  elsif v_row.status = 'timed_out' then
    return json_build_object('outcome', 'timed_out');
  elsif v_row.status <> 'waiting' or af_closed(v_run.status) then
    return json_build_object('outcome', 'decided', 'decisionId', v_row.decision_id);
  elsif v_run.control = 'cancel' then
    return json_build_object('outcome', 'cancelled');
  elsif v_row.due_at > clock_timestamp() then
    return json_build_object('outcome', 'early',
      'ms', ceil(extract(epoch from v_row.due_at - clock_timestamp()) * 1000)::bigint);
  end if;
  select json_agg(d.decision_id order by d.created_at, d.decision_id) into v_received from approval_decisions d
    where d.approval_id = p_approval and d.state = 'received' and d.created_at < coalesce(v_row.due_at, 'infinity');
  if v_received is not null then
    return json_build_object('outcome', 'received', 'decisions', v_received);
  end if;
  update approvals set status = 'timed_out', decided_at = coalesce(due_at, clock_timestamp())
    where id = p_approval returning * into v_row;
  v_seq := af_append(v_run.id, v_run.owner_id, v_run.seq, json_build_array(af_decided_event(v_row, 'timer')));
  perform af_touch(v_run.id, v_run.seq, v_seq, null, v_run.watched_until);
  return json_build_object('outcome', 'timed_out');
end $$;
