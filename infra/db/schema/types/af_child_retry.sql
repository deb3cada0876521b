-- Sub-playbook of a retry, as af_retry_child takes it; presets as JSON text.
create type af_child_retry as (
  id uuid,
  owner uuid,
  before uuid,
  parent uuid,
  path text,
  key text,
  begins_with text,
  presets text,
  keep text[],
  renewed text[],
  shares_keys boolean
);
