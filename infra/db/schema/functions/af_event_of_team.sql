-- Copies the run's team onto an event, so that followers of the team find it without reading the run.
create function af_event_of_team() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  select r.team_id into new.team_id from runs r where r.id = new.run_id;
  return new;
end $$;
