-- Use of a circuit breaker, as af_breaker takes it, with the rules that apply.
create type af_breaker_use as (
  key text,
  owner uuid,
  origin text,
  worker text,
  act text,
  threshold integer,
  open_seconds integer,
  probe_seconds integer
);
