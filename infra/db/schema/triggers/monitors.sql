create trigger monitors_next_version before update on monitors for each row execute function af_next_version();
