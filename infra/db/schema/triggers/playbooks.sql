create trigger playbooks_next_version before update on playbooks for each row when ((old.* is distinct from new.*)) execute function af_next_version();
