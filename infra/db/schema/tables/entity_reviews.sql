-- Possible merges of entities that a person has to decide.
create table entity_reviews (
  id uuid primary key,
  owner_id uuid not null references users (id),
  run_id uuid references runs (id),
  source_entity_name text not null,
  source_entity_type text,
  candidate_entity_name text not null,
  candidate_entity_id text,
  confidence real not null,
  match_details json not null default '{}',
  context json not null default '{}',
  status text not null default 'pending' check (status in ('pending', 'approved_merge', 'rejected', 'skipped')),
  reviewed_at timestamptz,
  reviewed_by uuid references users (id),
  created_at timestamptz not null default clock_timestamp()
);

create index entity_reviews_owner on entity_reviews (owner_id, status, created_at, id);
