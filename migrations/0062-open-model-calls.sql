set local role af_migrate;

-- A call is booked when it leaves, before it has a latency. Providers may tell any count up to 2^53-1.
alter table model_calls alter column input_tokens type bigint, alter column output_tokens type bigint,
  alter column latency_ms drop not null;
