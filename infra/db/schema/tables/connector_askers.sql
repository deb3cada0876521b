-- Who asked a common bucket lately: those share it.
create table connector_askers (
  key text not null,
  owner_id uuid not null references users (id),
  asked_at timestamptz not null default clock_timestamp(),
  -- turn: where this owner stands. held_back: they were refused for the sake of the source or of another owner. awaited, back_until: so many
  -- requests of theirs come again by then.
  turn bigint not null default 0,
  held_back boolean not null default false,
  awaited integer not null default 0,
  back_until timestamptz,
  primary key (key, owner_id)
);
