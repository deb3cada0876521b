set local role af_migrate;

alter table approvals drop column effects_behind;
