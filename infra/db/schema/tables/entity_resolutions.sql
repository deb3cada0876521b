-- Merges and splits of entities, kept so that they can be reversed.
create table entity_resolutions (
  id uuid primary key,
  owner_id uuid not null references users (id),
  run_id uuid references runs (id),
  action text not null check (action in ('auto_merge', 'user_merge', 'user_split', 'create_new', 'flag_review')),
  source_entity_name text not null,
  source_entity_type text,
  target_entity_name text,
  target_entity_id text,
  confidence real,
  match_method text,
  match_details json not null default '{}',
  is_reversible boolean not null default true,
  reversed_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);

create index entity_resolutions_owner on entity_resolutions (owner_id, created_at, id);
