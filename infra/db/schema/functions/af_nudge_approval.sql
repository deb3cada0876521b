-- Handles a reminder or escalation timer, once each. p_kind `escalated` lets the people decide whom the playbook names for that.
create function af_nudge_approval(p_approval uuid, p_kind text) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v record;
  v_act af_new_act;
  v_row approvals;
begin
  select * into v from af_take_approval(p_approval, (select owner_id from approvals where id = p_approval));
  v_row := v.approval;
  if v.code is not null or p_kind = 'reminded' and v_row.reminded_at is not null
    or p_kind = 'escalated' and v_row.escalated_at is not null then
    return false;
  end if;
  if p_kind = 'reminded' then
    update approvals set reminded_at = clock_timestamp() where id = p_approval returning * into v_row;
  else
    update approvals set escalated_at = clock_timestamp() where id = p_approval returning * into v_row;
  end if;
  perform af_notify_approvers(v_row, 'approval.' || p_kind, case p_kind when 'reminded' then 'named' else 'escalation' end);
  v_act.kind := p_kind;
  v_act.body := (select json_build_object('subjects', coalesce(json_agg(r.subject order by r.subject), '[]')) from approval_approvers r
    where r.approval_id = p_approval and r.source = case p_kind when 'reminded' then 'named' else 'escalation' end);
  perform af_act(v_row, v.seq, v.watched, v_act);
  return true;
end $$;
