-- Entry of the audit log, as af_audit takes it.
create type af_audit_entry as (
  owner uuid,
  actor text,
  means text,
  credential uuid,
  action text,
  type text,
  object text,
  peer text,
  request text,
  before text,
  after text,
  path text
);
