-- Run that retries another, as app_retry_run takes it; presets and overrides as JSON text.
create type af_new_retry as (
  id uuid,
  run uuid,
  begins_with text,
  presets text,
  overrides text,
  key text,
  hash text,
  renewed text[],
  shares_keys boolean
);
