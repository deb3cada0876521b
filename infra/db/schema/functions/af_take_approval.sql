-- Locks a request that a person may see. The caller checks their rights afterwards.
create function af_take_approval(p_approval uuid, p_user uuid, out code text, out approval approvals, out seq bigint,
  out watched timestamptz) language plpgsql as $$
declare
  v_run record;
begin
  select r.status, r.control, r.seq, r.watched_until into v_run from runs r
    where r.id = (select run_id from approvals where id = p_approval) for no key update;
  select * into approval from approvals where id = p_approval for no key update;
  seq := v_run.seq;
  watched := v_run.watched_until;
  code := case when not af_sees_approval(p_approval, p_user) then 'approval_not_found'
    else af_over(approval, v_run.status, v_run.control) end;
end $$;
