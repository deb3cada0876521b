set local role af_migrate;

-- What a request said that left, as SHA-256 of the step's inputs; and the key that it had, where that was not its effect key.
alter table step_attempts add column input_digest text, add column left_as text;
