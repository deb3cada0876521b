-- Calls in flight that an owner wants of a bucket.
create type af_slots_wanted as (
  key text,
  owner uuid,
  common boolean,
  origin text,
  worker text,
  want integer,
  used integer,
  cap integer,
  common_cap integer,
  seconds integer
);
