set local role af_migrate;

-- The run whose id stands before the effect keys of a run that repeats another; null: its own.
alter table runs add column effect_root uuid;
