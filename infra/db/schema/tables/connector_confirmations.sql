-- Origins to which secrets of a connector may go, confirmed by the owner of the secrets. Origins in the owner's first text need no
-- confirmation.
create table connector_confirmations (
  id uuid primary key,
  owner_id uuid not null references users (id),
  connector text not null,
  origins text[] not null,
  confirmed_at timestamptz not null default clock_timestamp(),
  secret text not null,
  -- Time of the first confirmation; later ones do not change it.
  first_at timestamptz not null default clock_timestamp()
);

create unique index connector_confirmations_of on connector_confirmations (owner_id, connector, secret, origins);
