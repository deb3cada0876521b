set local role af_migrate;

-- When a person said what became of an effect: what another run sends later is another matter.
alter table step_attempts add column resolved_at timestamptz;
