-- Links for one decision by one person about one action. Only that person has the token; its hash is here.
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
  -- Separate from the link's id: everybody who sees the request sees that id, and a decider could use it first.
  decision_id uuid not null default gen_random_uuid()
);

create index approval_links_approval on approval_links (approval_id);
