-- Request that is about to leave, as af_effect_sent takes it. target: where it goes, for people; worker: the one that
-- began the try; digest: SHA-256 of its inputs; left_as: key of the request, where it is not the effect key.
create type af_new_effect as (
  effect_key text,
  try_no integer,
  effect text,
  target text,
  worker text,
  events json,
  digest text,
  left_as text
);
