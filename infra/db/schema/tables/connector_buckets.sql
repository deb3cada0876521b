-- Buckets of rate limits: (owner, origin, credential), or the origin alone for everybody without a credential. `key` is the digest.
create table connector_buckets (
  key text primary key,
  -- Null: shared by everybody.
  owner_id uuid references users (id),
  origin text not null,
  -- End of the pause that the source asked for.
  blocked_until timestamptz,
  blocked_reason text,
  updated_at timestamptz not null default clock_timestamp(),
  -- turns_until: end of the time in which owners take turns. turn: place of the foremost owner; the others are not far behind.
  turns_until timestamptz,
  turn bigint not null default 0
);

create index connector_buckets_age on connector_buckets (updated_at);
create index connector_buckets_origin on connector_buckets (origin);
