-- Tests whether a person may decide in their own right, not by delegation.
create function af_has_right(p_approval approvals, p_user uuid, p_deciding boolean, p_key uuid default null,
  p_at timestamptz default clock_timestamp())
returns boolean language plpgsql as $$
begin
  return coalesce(not p_approval.named and p_user = p_approval.owner_id, false) or exists (
    select from approval_approvers r where r.approval_id = p_approval.id
      and (r.source = 'named' or r.source = 'escalation' and least(p_approval.escalate_at, p_approval.escalated_at) <= p_at)
      and r.subject in (select af_subjects(p_user, p_deciding, p_key)));
end $$;
