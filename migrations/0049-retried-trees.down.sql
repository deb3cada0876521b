set local role af_migrate;

alter table runs drop column effect_keys, drop column asked_again;
