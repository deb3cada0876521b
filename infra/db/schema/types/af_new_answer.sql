-- Answer of a source beside its body, as af_cache_answer keeps it. drop, stale, ttl: seconds.
create type af_new_answer as (
  owner uuid,
  version uuid,
  digest text,
  keyless boolean,
  connector text,
  credential text,
  status integer,
  headers text,
  url text,
  ttl integer,
  stale integer,
  drop integer,
  owner_bytes bigint,
  endpoint text,
  credential_version text
);
