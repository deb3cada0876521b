-- Who did what to which object, from where. Nobody may change or remove an entry.
create table audit_log (
  id uuid default gen_random_uuid() primary key,
  -- Who did it.
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
  -- The path of the object, so that an entry can say what the one before it left there.
  object_path text
);

create index audit_log_at on audit_log (at, id);
create index audit_log_object on audit_log (object_path, at, id) where object_path is not null;
create index audit_log_owner on audit_log (owner_id, at, id);
