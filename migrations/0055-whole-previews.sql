set local role af_migrate;

-- All rows of a preview that has the first ones alone: of an inline step nothing else keeps them while the request waits.
alter table approvals add column preview_rows json;
