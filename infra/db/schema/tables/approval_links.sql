-- One decision by one person about one action. The token itself is with that person alone.
create table approval_links (
  id uuid primary key,
  approval_id uuid not null references approvals (id),
  owner_id uuid not null,
  user_id uuid not null references users (id),
  token_hash text not null unique,
  digest text not null,
  created_by uuid not null references users (id),
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz,
  -- Whoever sees the request sees the link's id: under that anybody who may decide could be first.
  decision_id uuid not null default gen_random_uuid()
);

create index approval_links_approval on approval_links (approval_id);
