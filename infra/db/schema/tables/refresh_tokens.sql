-- Refresh tokens of sessions, by hash; each is used once.
create table refresh_tokens (
  hash text primary key,
  session_id uuid not null references sessions (id),
  owner_id uuid not null references users (id),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz
);

create index refresh_tokens_session on refresh_tokens (session_id);
