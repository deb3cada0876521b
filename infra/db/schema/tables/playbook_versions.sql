-- Versions of playbooks, never changed: a run keeps the one that it started with. `plan` is the compiled source.
create table playbook_versions (
  id uuid primary key,
  playbook_id uuid not null references playbooks (id),
  owner_id uuid not null references users (id),
  version_no integer not null,
  declared_version text,
  content_hash text not null,
  source_format text not null check (source_format in ('yaml', 'json')),
  source text not null,
  plan json not null,
  created_at timestamptz not null default now(),
  unique (playbook_id, content_hash),
  unique (playbook_id, version_no)
);

alter table playbooks add constraint playbooks_latest_version_id_fkey foreign key (latest_version_id) references playbook_versions(id);
