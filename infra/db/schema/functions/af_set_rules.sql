-- Sets who decides a request: p_policy {approvers, quorum, four_eyes, link_only, escalate_to}.
create function af_set_rules(p_approval approvals, p_policy json) returns void language plpgsql as $$
declare
  v_unknown text[];
  v_row approvals;
begin
  v_unknown := coalesce(af_add_approvers(p_approval, p_policy -> 'approvers', 'named'), '{}')
    || coalesce(af_add_approvers(p_approval, p_policy -> 'escalate_to', 'escalation'), '{}');
  update approvals set quorum = coalesce((p_policy ->> 'quorum')::integer, 1),
    four_eyes = coalesce((p_policy ->> 'four_eyes')::boolean, false),
    link_only = coalesce((p_policy ->> 'link_only')::boolean, false),
    named = p_policy -> 'approvers' is not null, unknown_approvers = v_unknown
    where id = p_approval.id returning * into v_row;
  if v_row.named then
    perform af_notify_approvers(v_row, 'approval.requested', 'named');
  end if;
end $$;
