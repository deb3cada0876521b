set local role af_migrate;

drop table schema_state;
