-- Skills of a profile: built-in ones, or playbooks that it may start.
create table profile_skills (
  id uuid primary key,
  profile_id uuid not null references agent_profiles (id),
  owner_id uuid not null references users (id),
  skill_type text not null check (skill_type in ('built_in', 'playbook')),
  skill_name text,
  playbook_id uuid references playbooks (id),
  priority integer not null default 0,
  parameters json not null default '{}',
  is_enabled boolean not null default true,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (profile_id, playbook_id),
  unique (profile_id, skill_name),
  check (((skill_type = 'built_in') = (skill_name is not null)) and ((skill_type = 'playbook') = (playbook_id is not null)))
);

create index profile_skills_playbook on profile_skills (playbook_id) where playbook_id is not null;
