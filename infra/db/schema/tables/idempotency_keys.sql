-- Requests with an Idempotency-Key, kept for 24 hours. Those that start runs are in the runs' rows, as long as the runs.
create table idempotency_keys (
  owner_id uuid not null references users (id),
  method text not null,
  -- The pattern of the path.
  route text not null,
  key text not null,
  -- Of path parameters, query and body.
  request_hash text not null,
  -- Who carries the request out. Another may, when the lease has ended and there is no answer.
  claim_id uuid not null,
  lease_until timestamptz not null,
  -- The answer, written in the transaction of the effect. A status of null: under way.
  status integer,
  etag text,
  answer json,
  created_at timestamptz not null default clock_timestamp(),
  primary key (owner_id, method, route, key)
);

create index idempotency_keys_age on idempotency_keys (owner_id, created_at);
