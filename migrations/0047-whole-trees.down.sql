set local role af_migrate;

alter table runs drop column paused_by;
