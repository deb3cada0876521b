-- Decision of a person; edits as JSON text.
create type af_new_decision as (
  owner uuid,
  approval uuid,
  decision uuid,
  actor text,
  via text,
  answer text,
  instructions text,
  edits text,
  digest text,
  key uuid
);
