create trigger schedules_next_version before update on schedules for each row execute function af_next_version();
