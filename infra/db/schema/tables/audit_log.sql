-- Log of who did what to which object, and from where. No entry is ever changed or removed.
create table audit_log (
  id uuid default gen_random_uuid() primary key,
  -- Account that did it.
  owner_id uuid not null references users (id),
  actor text not null,
  means text not null,
  credential_id uuid,
  action text not null,
  object_type text,
  object_id text,
  peer text not null,
  request_id text,
  before_digest text,
  after_digest text,
  at timestamptz not null default clock_timestamp(),
  -- Path of the object, by which the next entry finds the digest that this one left.
  object_path text
);

create index audit_log_at on audit_log (at, id);
create index audit_log_object on audit_log (object_path, at, id) where object_path is not null;
create index audit_log_owner on audit_log (owner_id, at, id);
