-- Links that sign in or set a password once; only a hash of the token is kept.
create table one_time_links (
  id uuid primary key,
  purpose text not null check (purpose in ('first_admin', 'sign_in', 'password_reset')),
  user_id uuid not null references users (id),
  hash text not null unique,
  -- Restricts the link to this machine.
  loopback boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  made_by uuid references users (id)
);

create index one_time_links_made_by on one_time_links (made_by) where used_at is null;
create index one_time_links_user on one_time_links (user_id) where used_at is null;
