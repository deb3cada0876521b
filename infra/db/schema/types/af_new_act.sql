-- Act on a request other than a decision, as af_act records it. concerns: handle of the person that it is about.
create type af_new_act as (
  kind text,
  actor uuid,
  concerns text,
  body json
);
