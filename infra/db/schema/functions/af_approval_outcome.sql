-- Builds the outcome of an approval in the one form that every caller gets.
create function af_approval_outcome(p_approval approvals) returns json language sql immutable as $$
  select json_build_object('approvalId', p_approval.id, 'runId', p_approval.run_id, 'step_path', p_approval.step_path,
    'status', p_approval.status, 'decisionId', p_approval.decision_id, 'decided_by', p_approval.decided_by,
    'decided_at', p_approval.decided_at, 'instructions', p_approval.instructions, 'edits', p_approval.edits,
    'digest', p_approval.digest, 'approved_digest', p_approval.approved_digest)
$$;
