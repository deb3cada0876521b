-- Who wants how many requests of a bucket, and the limits that hold for them.
create type af_requests_wanted as (
  key text,
  owner uuid,
  common boolean,
  origin text,
  periods text[],
  caps integer[],
  shipped_periods text[],
  shipped_caps integer[],
  want integer
);
