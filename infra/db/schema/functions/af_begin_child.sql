-- Gives a new child the control state of its parent, so that a pause or cancel does not miss it.
create function af_begin_child() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_parent record;
begin
  select control, paused_by into v_parent from runs where id = new.parent_run_id for share;
  new.control := coalesce(v_parent.control, new.control);
  if new.control = 'pause' then
    new.paused_by := coalesce(v_parent.paused_by, new.parent_run_id);
  end if;
  return new;
end $$;
