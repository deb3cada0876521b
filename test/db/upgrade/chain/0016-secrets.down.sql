set local role af_migrate;
drop table decision_heads;
drop table master_keys;
drop table secrets;
reset role;
