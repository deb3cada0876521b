-- Passes pause and resume down level by level in one transaction: a crash leaves the whole tree paused or none of it. Each level is locked
-- before the next is read, and a child is inserted under its parent's lock, so that none is missed.
create function af_control_children() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update runs set control = new.control, updated_at = clock_timestamp(),
      paused_by = case new.control when 'pause' then coalesce(new.paused_by, new.id) end
    where parent_run_id = new.id and control not in ('cancel', new.control) and not af_closed(status);
  return null;
end $$;
