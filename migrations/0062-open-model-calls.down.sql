set local role af_migrate;

update model_calls set latency_ms = coalesce(latency_ms, 0),
  input_tokens = case when input_tokens <= 2147483647 then input_tokens end,
  output_tokens = case when output_tokens <= 2147483647 then output_tokens end
  where latency_ms is null or input_tokens > 2147483647 or output_tokens > 2147483647;
alter table model_calls alter column input_tokens type integer, alter column output_tokens type integer,
  alter column latency_ms set not null;
