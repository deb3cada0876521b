-- Pause that a source asked for, as af_block_bucket takes it.
create type af_quiet_time as (
  key text,
  owner uuid,
  common boolean,
  origin text,
  ms bigint,
  reason text
);
