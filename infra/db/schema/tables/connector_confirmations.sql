-- Origins that secrets of a connector may go to, confirmed by the owner of the secrets. Those that they wrote the
-- connector with need no confirmation.
create table connector_confirmations (
  id uuid primary key,
  owner_id uuid not null references users (id),
  connector text not null,
  origins text[] not null,
  confirmed_at timestamptz not null default clock_timestamp(),
  secret text not null,
  -- When the place was confirmed for the first time, whatever was said again later.
  first_at timestamptz not null default clock_timestamp()
);

create unique index connector_confirmations_of on connector_confirmations (owner_id, connector, secret, origins);
