create trigger event_of_team before insert on run_events for each row when ((new.type = ANY (ARRAY['run.status'::text, 'complete'::text]))) execute function af_event_of_team();
