-- Returns why a person may not decide (null: they may), and who delegated to them if only that gives them the right.
create function af_decider(p_approval approvals, p_user uuid, p_key uuid default null,
  p_at timestamptz default clock_timestamp(), out code text, out acting_for uuid)
language plpgsql as $$
begin
  if not af_active_user(p_user) then
    code := 'user_deactivated';
  elsif af_excluded(p_approval, p_user) then
    code := 'four_eyes';
  elsif af_has_right(p_approval, p_user, true, p_key, p_at) then
    if exists (select from af_delegations(p_approval.id, p_at) r where af_person(r.granted_by) = af_person(p_user)) then
      code := 'delegated_away';
    end if;
  else
    select r.granted_by into acting_for from af_delegations(p_approval.id, p_at) r
      where r.delegate = p_user
        and af_active_user(r.granted_by) and af_has_right(p_approval, r.granted_by, true, null, p_at)
        and not af_excluded(p_approval, r.granted_by)
      order by r.granted_by limit 1;
    if acting_for is null then
      code := 'not_allowed';
    end if;
  end if;
end $$;
