-- Webhooks of a person. secret_name: the owner's secret that signs deliveries.
create table webhooks (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  url text not null,
  events text[] not null,
  secret_name text,
  is_enabled boolean not null default true,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create unique index webhooks_owner_name on webhooks (owner_id, name) where deleted_at is null;
