create trigger teams_next_version before update on teams for each row execute function af_next_version();
