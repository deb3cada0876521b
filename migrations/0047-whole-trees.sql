set local role af_migrate;

-- The run whose pause reached this one.
alter table runs add column paused_by uuid;
