-- Answer to a request with an Idempotency-Key beside its body, as af_keep_answer takes it.
create type af_kept_answer as (
  owner uuid,
  method text,
  route text,
  key text,
  claim uuid,
  status integer,
  etag text
);
