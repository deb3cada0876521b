-- Invitations to create an account; only a hash of the code is kept.
create table invites (
  id uuid primary key,
  -- Person who invites.
  owner_id uuid not null references users (id),
  hash text not null unique,
  -- Null: the invited person chooses.
  handle text,
  scopes text[] not null default '{}'::text[],
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references users (id),
  revoked_at timestamptz
);

create index invites_owner on invites (owner_id, created_at, id);
