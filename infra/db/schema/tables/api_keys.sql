create table api_keys (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  -- The beginning of the key, to tell keys apart.
  prefix text not null,
  hash text not null unique,
  -- Null: all that its owner has. In any case no more than they have at the moment of a call.
  scopes text[],
  read_only boolean not null default false,
  may_decide boolean not null default false,
  -- Null: everything of its owner's; else these objects alone.
  objects uuid[],
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);

create index api_keys_owner on api_keys (owner_id, created_at, id);
