set local role af_migrate;

alter table approvals drop column preview_rows;
