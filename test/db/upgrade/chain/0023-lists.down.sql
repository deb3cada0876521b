set local role af_migrate;
drop index folders_parent, documents_folder, approvals_due;
reset role;
