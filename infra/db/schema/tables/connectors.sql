-- Connectors that people define or that ship with the product; the definition itself is in connector_versions.
create table connectors (
  id uuid primary key,
  owner_id uuid not null references users (id),
  slug text not null,
  name text not null,
  type text not null,
  description text,
  origin text not null default 'user' check (origin in ('user', 'catalog')),
  latest_version_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  row_version bigint not null default 1,
  -- Facts that the latest version states about itself: lists show and filter them.
  icon text,
  category text,
  tags text[] not null default '{}'::text[],
  requires_auth boolean not null default false,
  auth_fields jsonb not null default '[]'
);

create index connectors_owner_created on connectors (owner_id, created_at, id) where deleted_at is null;
create index connectors_owner_name on connectors (owner_id, name, id) where deleted_at is null;
create unique index connectors_owner_slug on connectors (owner_id, slug) where deleted_at is null;
