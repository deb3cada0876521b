-- Requests that an owner wants of a bucket, with the limits that apply.
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
