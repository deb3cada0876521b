-- Returns why a decision cannot count; null: it can. A signal has no known sender, so it counts only where one decision is enough and the
-- request names nobody.
create function af_refuses(p_approval approvals, p_decision approval_decisions) returns text language plpgsql as $$
declare
  v_code text;
begin
  if p_decision.via = 'signal' then
    v_code := case when p_approval.named or p_approval.four_eyes or p_approval.quorum > 1 then 'signal_not_allowed' end;
  else
    v_code := (af_decider(p_approval, p_decision.actor_id, p_decision.key_id, p_decision.created_at)).code;
  end if;
  return case
    when v_code is not null then v_code
    when p_decision.key_id is not null and not exists (select from api_keys k
      where k.id = p_decision.key_id and k.owner_id = p_decision.actor_id and k.may_decide and not k.read_only
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > p_decision.created_at)) then 'not_allowed'
    when p_decision.digest is distinct from af_shown_digest(p_approval) then 'approval_changed'
    when p_decision.edits is not null
      and (p_approval.quorum > 1 or p_approval.four_eyes or p_approval.edited_digest is not null) then 'edit_first'
    when p_decision.decision = 'approve' and exists (select from approval_decisions d where d.approval_id = p_approval.id
      and af_person(d.actor_id) = af_person(p_decision.actor_id)
      and d.state = 'counted' and d.superseded_at is null) then 'already_approved'
  end;
end $$;
