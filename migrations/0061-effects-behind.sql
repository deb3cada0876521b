set local role af_migrate;

-- What with an effect lies behind a gate: {steps: [{step, in_each}], more, destinations, caller}; null: not known.
alter table approvals add column effects_behind json;
