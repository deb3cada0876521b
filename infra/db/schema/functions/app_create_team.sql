-- Creates a team with its first owner in one statement: a team without an owner could not be managed.
create function app_create_team(p_id uuid, p_name text, p_description text) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into teams (id, owner_id, name, description) values (p_id, app_uid(), p_name, p_description);
  insert into team_members (team_id, user_id, role) values (p_id, app_uid(), 'owner');
end $$;
