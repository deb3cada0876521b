set local role af_migrate;

-- Absolute, as `due_at`: known when the request opens, whether or not anybody is there to act at that moment.
alter table approvals
  add column remind_at timestamptz,
  add column escalate_at timestamptz;
