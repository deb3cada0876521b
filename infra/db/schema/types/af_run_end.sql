-- End of a run; patch, routing_report and journal as JSON text.
create type af_run_end as (
  status text,
  code text,
  message text,
  patch text,
  summary text,
  routing_report text,
  journal text
);
