create trigger connections_next_version before update on connections for each row execute function af_next_version();
