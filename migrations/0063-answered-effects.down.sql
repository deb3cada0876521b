set local role af_migrate;

alter table step_attempts drop column resolved_at;
