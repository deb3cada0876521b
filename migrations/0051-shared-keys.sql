set local role af_migrate;

create index runs_effect_root on runs (effect_root) where effect_root is not null;
