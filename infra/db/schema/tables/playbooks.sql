-- Playbooks by slug; the text itself is in playbook_versions.
create table playbooks (
  id uuid primary key,
  owner_id uuid not null references users (id),
  slug text not null,
  name text not null,
  description text,
  category text,
  origin text not null default 'user' check (origin in ('user', 'catalog')),
  latest_version_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  row_version bigint not null default 1,
  tags text[] not null default '{}'::text[],
  triggers jsonb not null default '[]',
  required_connectors text[] not null default '{}'::text[]
);

create index playbooks_owner_created on playbooks (owner_id, created_at, id) where deleted_at is null;
create index playbooks_owner_name on playbooks (owner_id, name, id) where deleted_at is null;
create unique index playbooks_owner_slug on playbooks (owner_id, slug) where deleted_at is null;
