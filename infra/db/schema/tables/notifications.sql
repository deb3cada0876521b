-- Notifications for a person, shown until they are read.
create table notifications (
  id uuid primary key,
  owner_id uuid not null references users (id),
  kind text not null,
  title text not null,
  body text,
  run_id uuid references runs (id),
  approval_id uuid references approvals (id),
  read_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);

create index notifications_owner on notifications (owner_id, created_at, id);
