-- Returns why a request can no longer be decided; null: it waits. A decision by a person stays the reason even if the run ended since.
create function af_over(p_approval approvals, p_status text, p_control text,
  p_at timestamptz default clock_timestamp()) returns text language sql immutable as $$
  select case
    when p_approval.status in ('approved', 'rejected', 'auto_approved') then 'approval_already_decided'
    when p_approval.status in ('waiting', 'timed_out') and p_approval.due_at <= p_at then 'approval_due_passed'
    when af_closed(p_status) or p_control = 'cancel' then 'run_closed'
    when p_approval.status <> 'waiting' then 'approval_already_decided'
  end
$$;
