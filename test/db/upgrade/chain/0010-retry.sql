-- What a run that retries another takes over beside results: answers of gates (step path → answer), and edited inputs of
-- the step that it begins with (step path → inputs). Both are handed to the workflow as they are.
alter table runs add column retry_presets json;
alter table runs add column retry_overrides json;
