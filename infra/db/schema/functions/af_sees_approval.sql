-- Tests whether a person may see a request and its preview: as the owner, or because they are asked.
create function af_sees_approval(p_approval uuid, p_user uuid) returns boolean language plpgsql as $$
declare
  v_row approvals;
begin
  select * into v_row from approvals where id = p_approval;
  return coalesce(v_row.owner_id = p_user, false) or v_row.id is not null and (
    af_has_right(v_row, p_user, false) or exists (select from approval_approvers r where r.approval_id = p_approval
      and r.source = 'delegation' and r.subject = 'user:' || p_user and af_has_right(v_row, r.granted_by, true)));
end $$;
