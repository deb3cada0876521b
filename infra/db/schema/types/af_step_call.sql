-- Step of an activity, as af_step takes it; its documents beside it.
create type af_step_call as (
  events json,
  patch json,
  record json,
  next json
);
