-- API keys of accounts: programs act for a person with them, within their rights. Only a hash is kept.
create table api_keys (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  -- Beginning of the key, so that people can tell keys apart.
  prefix text not null,
  hash text not null unique,
  -- Null: all scopes of its owner. A key never has more than its owner has at the moment of a call.
  scopes text[],
  read_only boolean not null default false,
  may_decide boolean not null default false,
  -- Null: all objects of its owner; else only these.
  objects uuid[],
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);

create index api_keys_owner on api_keys (owner_id, created_at, id);
