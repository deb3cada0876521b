set local role af_migrate;

alter table approvals drop column remind_at, drop column escalate_at;
