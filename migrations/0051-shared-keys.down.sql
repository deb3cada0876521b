set local role af_migrate;

drop index runs_effect_root;
