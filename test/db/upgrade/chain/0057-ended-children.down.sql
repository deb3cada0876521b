set local role af_migrate;

drop function af_finish_tree(uuid, text, text, text, json, json, json, text, json, json);

reset role;
