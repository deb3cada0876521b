set local role af_migrate;
drop table access_tokens;
reset role;
