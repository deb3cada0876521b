-- A bucket: (owner, origin, credential), or without a credential the origin alone, for everybody. `key` is its digest.
create table connector_buckets (
  key text primary key,
  -- Null: of everybody.
  owner_id uuid references users (id),
  origin text not null,
  -- The source asked for silence until then.
  blocked_until timestamptz,
  blocked_reason text,
  updated_at timestamptz not null default clock_timestamp(),
  -- turns_until: owners take turns until then. turn: where the one stands who is furthest ahead; the others are not far behind.
  turns_until timestamptz,
  turn bigint not null default 0
);

create index connector_buckets_age on connector_buckets (updated_at);
create index connector_buckets_origin on connector_buckets (origin);
