-- Returns how the children of a run ended, to its owner.
create function app_children_ended(p_run uuid) returns table (step_path text, ok boolean) language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from runs r where r.id = p_run and r.owner_id = app_uid()) then
    return query select c.step_path, c.ok from af_children_ended(p_run) c;
  end if;
end $$;
