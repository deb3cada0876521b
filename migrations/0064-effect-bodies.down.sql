set local role af_migrate;

alter table step_attempts drop column left_as, drop column input_digest;
