-- Credentials of a person at a provider. `ciphertext` is encrypted by the application and bound to its row.
create table connections (
  id uuid primary key,
  owner_id uuid not null references users (id),
  provider text not null,
  name text not null,
  kind text not null check (kind in ('api_key', 'basic', 'oauth2')),
  account text,
  scopes text[] not null default '{}'::text[],
  ciphertext bytea,
  key_id text,
  status text not null default 'active' check (status in ('active', 'expired', 'revoked')),
  expires_at timestamptz,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create unique index connections_owner_name on connections (owner_id, provider, name) where deleted_at is null;
