-- Takes the profile and team of an entry from its run, so that no writer can name others.
create trigger journal_of_run before insert on journal_entries
  for each row when (new.run_id is not null)
  execute function af_journal_of_run();
