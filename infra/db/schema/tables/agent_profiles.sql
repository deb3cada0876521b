-- Agents that people define: instructions, limits and defaults of the runs for them.
create table agent_profiles (
  id uuid primary key,
  owner_id uuid not null references users (id),
  handle text not null,
  name text not null,
  description text,
  icon text,
  is_active boolean not null default true,
  model_preference text,
  max_research_rounds integer not null default 3,
  system_prompt_additions text,
  knowledge_config json not null default '{}',
  output_config json not null default '{}',
  journal_config json not null default '{}',
  default_execution_mode text not null default 'hybrid' check (default_execution_mode in ('deterministic', 'llm_augmented', 'hybrid')),
  default_run_context text not null default 'interactive' check (default_run_context in ('interactive', 'background', 'scheduled', 'monitor')),
  default_approval_policy text not null default 'require' check (default_approval_policy in ('require', 'auto_approve')),
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create index agent_profiles_owner_created on agent_profiles (owner_id, created_at, id) where deleted_at is null;
create unique index agent_profiles_owner_handle on agent_profiles (owner_id, handle) where deleted_at is null;
