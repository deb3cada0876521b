create trigger runs_begin_child before insert on runs for each row when ((new.parent_run_id is NOT NULL)) execute function af_begin_child();
create trigger runs_control after update of control on runs for each row when (((new.control = ANY (ARRAY['run'::text, 'pause'::text])) AND (new.control <> old.control))) execute function af_control_children();
create trigger runs_hold before insert on runs for each row execute function af_hold_run();
create trigger runs_sum_up_calls before update on runs for each row when ((af_closed(new.status) AND (NOT af_closed(old.status)))) execute function af_sum_up_calls();
