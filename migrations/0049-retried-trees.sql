set local role af_migrate;

-- Somebody asked for it: what failed is tried again whatever it failed of.
alter table runs add column asked_again boolean not null default false;

-- Path of a step → the run whose id stands before the keys of that step and of all below it, where that is not `effect_root`.
alter table runs add column effect_keys jsonb;
