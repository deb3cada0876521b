-- Owners who lately used a common bucket: these share its limit.
create table connector_askers (
  key text not null,
  owner_id uuid not null references users (id),
  asked_at timestamptz not null default clock_timestamp(),
  -- turn: the owner's place in the order. held_back: refused in favour of the source or of another owner. awaited, back_until:
  -- number of requests that they will repeat by then.
  turn bigint not null default 0,
  held_back boolean not null default false,
  awaited integer not null default 0,
  back_until timestamptz,
  primary key (key, owner_id)
);
