-- Sessions of browsers (the cookie holds the secret), and families of refresh tokens.
create table sessions (
  id uuid primary key,
  owner_id uuid not null references users (id),
  kind text not null check (kind in ('browser', 'token')),
  secret_hash text unique,
  client text,
  peer text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_why text,
  check ((kind = 'browser') = (secret_hash is not null))
);

create index sessions_owner on sessions (owner_id, created_at, id);
