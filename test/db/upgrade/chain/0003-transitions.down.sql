drop function af_finish(uuid, text, text, text, json, json, json, text, json, json);
drop function af_count_decision(uuid, uuid, text, text);
drop function af_settle_approval(uuid, text);
drop function af_transition(uuid, json, json, json);
drop function af_open_approvals(uuid, uuid, json);
drop function af_decided_event(approvals, text);
drop function af_approval_outcome(approvals);
drop function af_log_decision(uuid, text);
