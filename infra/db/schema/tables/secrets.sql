-- Secrets of people. The application encrypts values and binds them to owner and name: a ciphertext in another row does not open.
create table secrets (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  ciphertext bytea not null,
  -- Master key of the encryption.
  key_id text not null,
  -- Host names, `host:port`, `*.domain`, or the one entry `*`.
  allowed_hosts text[] not null check (cardinality(allowed_hosts) > 0),
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  rotated_at timestamptz,
  row_version bigint not null default 1,
  unique (owner_id, name)
);

create index secrets_by_key on secrets (key_id, id);
