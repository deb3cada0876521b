create trigger documents_next_version before update on documents for each row when ((old.* is distinct from new.*)) execute function af_next_version();
