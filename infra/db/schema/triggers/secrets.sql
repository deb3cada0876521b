create trigger secret_deleted after delete on secrets for each row execute function af_secret_changed();
create trigger secret_rotated after update on secrets for each row when ((old.version is distinct from new.version)) execute function af_secret_changed();
create trigger secrets_next_version before update on secrets for each row when ((old.* is distinct from new.*)) execute function af_next_version();
