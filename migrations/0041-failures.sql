set local role af_migrate;

-- What a request rests on that is not there: [{step, kind, code, message}]; null where nothing is missing.
alter table approvals add column failures json;
