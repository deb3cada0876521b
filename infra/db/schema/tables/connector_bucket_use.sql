-- Leased requests by slices of time: a window moves by whole slices.
create table connector_bucket_use (
  key text not null,
  period text not null check (period in ('second', 'minute', 'hour', 'day', 'month')),
  slice bigint not null,
  owner_id uuid not null references users (id),
  used integer not null,
  primary key (key, period, slice, owner_id)
);
