set local role af_migrate;

drop table import_dirs;
