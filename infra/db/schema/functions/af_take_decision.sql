-- Takes a person's answer in one statement: checks their right, records the answer as received and tells whether the request is still open.
-- `refused` says why nothing is kept, `shown` is the digest that counts. Neither: the id was used before and keeps its first answer.
create function af_take_decision(p_decision json, out refused text, out shown text, out open boolean,
  out decision approval_decisions)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new constant af_new_decision := json_populate_record(null::af_new_decision, p_decision);
  v_row approvals;
begin
  select * into v_row from approvals a
    where a.id = v_new.approval and (a.owner_id = v_new.owner or af_sees_approval(a.id, v_new.owner));
  if not found then
    -- Tells persons who were asked that their right is gone, and not that the request is unknown.
    refused := case when exists (select from notifications n where n.owner_id = v_new.owner and n.approval_id = v_new.approval)
      then 'not_allowed' else 'approval_not_found' end;
    return;
  end if;
  shown := af_shown_digest(v_row);
  if v_row.status = 'waiting' and not exists (select from approval_decisions d
      where d.approval_id = v_new.approval and d.decision_id = v_new.decision
        and (d.owner_id = v_new.owner or d.actor_id = v_new.owner)) then
    refused := coalesce((af_decider(v_row, v_new.owner, v_new.key)).code,
      case when v_row.due_at <= clock_timestamp() then 'approval_due_passed' end,
      case when v_new.digest is null then 'digest_required' when v_new.digest is distinct from shown then 'approval_changed' end);
    if refused is not null then
      return;
    end if;
  end if;
  select * into decision from af_receive_decision(p_decision);
  -- Reads the request again: a transaction that counted another answer may have held it until now.
  open := (select af_over(a, r.status, r.control, decision.created_at) is null
    from approvals a join runs r on r.id = a.run_id where a.id = v_new.approval);
end $$;
