create table users (
  id uuid primary key,
  handle text not null unique,
  display_name text not null,
  created_at timestamptz not null default now(),
  -- Never deleted: what they did stays theirs. The row that was the one local user is the first administrator.
  kind text not null default 'person' check (kind in ('person', 'service')),
  status text not null default 'active' check (status in ('active', 'deactivated', 'anonymised')),
  scopes text[] not null default '{}'::text[],
  -- Of a service account: who made it and may take it back.
  managed_by uuid references users (id),
  deactivated_at timestamptz,
  constraint users_managed check ((kind = 'service') = (managed_by is not null))
);

create index users_managed_by on users (managed_by) where managed_by is not null;
