set local role af_migrate;

drop function af_import_dirs(), af_linked_run(text);
drop table import_dirs;

reset role;
