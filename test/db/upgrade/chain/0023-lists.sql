-- Indexes under lists.
set local role af_migrate;

create index approvals_due on approvals (owner_id, due_at) where status = 'waiting' and due_at is not null;
create index documents_folder on documents (folder_id, created_at, id) where folder_id is not null and deleted_at is null;
create index folders_parent on folders (parent_id) where parent_id is not null and deleted_at is null;

reset role;
