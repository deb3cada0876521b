-- Builds the event that reports the end of an approval, in the form of af_append.
create function af_decided_event(p_approval approvals, p_via text) returns json language sql immutable as $$
  select json_build_object('id', 'approval:' || p_approval.id || ':decided', 'type', 'approval.decided',
    'step_path', p_approval.step_path,
    'payload', json_build_object('approvalId', p_approval.id, 'step', p_approval.step_name,
      'decision', p_approval.status, 'decisionId', p_approval.decision_id, 'decided_by', p_approval.decided_by, 'via', p_via,
      'instructions', p_approval.instructions, 'edits', p_approval.edits)::text)
$$;
