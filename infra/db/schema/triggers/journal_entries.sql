create trigger journal_of_run before insert on journal_entries for each row when ((new.run_id is NOT NULL)) execute function af_journal_of_run();
