-- Counts approvals of the action as it is shown now, by people who may still decide.
create function af_votes(p_approval approvals) returns bigint language plpgsql as $$
begin
  return (select count(*) from approval_decisions d where d.approval_id = p_approval.id and d.state = 'counted'
    and d.superseded_at is null and d.decision = 'approve'
    and (d.actor_id is null or (af_decider(p_approval, d.actor_id, d.key_id, d.created_at)).code is null));
end $$;
