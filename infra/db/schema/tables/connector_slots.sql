-- Calls in flight that a worker may have at once; they end with the worker.
create table connector_slots (
  key text not null,
  worker text not null,
  held integer not null,
  expires_at timestamptz not null,
  owner_id uuid not null references users (id),
  wanted integer not null,
  primary key (key, worker, owner_id)
);
