-- Events carry their run's team, so that a team's followers find them without the run.
create function af_event_of_team() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  select r.team_id into new.team_id from runs r where r.id = new.run_id;
  return new;
end $$;
