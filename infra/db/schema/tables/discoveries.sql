-- Findings of runs about entities and relationships, for people to look through.
create table discoveries (
  id uuid primary key,
  owner_id uuid not null references users (id),
  run_id uuid not null references runs (id),
  profile_id uuid references agent_profiles (id),
  discovery_type text not null check (discovery_type in ('new_entity', 'new_relationship', 'entity_merge', 'new_external_id', 'pattern_detected')),
  entity_name text,
  entity_type text,
  entity_id text,
  relationship_type text,
  related_entity_name text,
  source_connector text,
  source_endpoint text,
  confidence real,
  details json not null default '{}',
  created_at timestamptz not null default clock_timestamp()
);

create index discoveries_owner_created on discoveries (owner_id, created_at, id);
create index discoveries_run on discoveries (run_id, created_at, id);
