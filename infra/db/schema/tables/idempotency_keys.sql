-- Requests with an Idempotency-Key, kept for 24 hours. Requests that start runs are kept in the rows of the runs instead.
create table idempotency_keys (
  owner_id uuid not null references users (id),
  method text not null,
  -- Pattern of the path.
  route text not null,
  key text not null,
  -- Hash of path parameters, query and body.
  request_hash text not null,
  -- Process that carries out the request. Another may take over when the lease has ended without an answer.
  claim_id uuid not null,
  lease_until timestamptz not null,
  -- Answer, written in the transaction of the effect. status null: under way.
  status integer,
  etag text,
  answer json,
  created_at timestamptz not null default clock_timestamp(),
  primary key (owner_id, method, route, key)
);

create index idempotency_keys_age on idempotency_keys (owner_id, created_at);
