-- Searches people by name among the members of the caller's teams, and by exact handle among all: it must not serve as a directory.
create function app_people(p_text text, p_limit integer) returns table (id uuid, handle text, display_name text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select u.id, u.handle, u.display_name from users u
    where u.id <> app_uid() and af_active_user(u.id) and (u.handle = p_text
      or (starts_with(lower(u.handle), lower(p_text)) or starts_with(lower(u.display_name), lower(p_text)))
        and u.id in (select o.user_id from team_members m join teams t on t.id = m.team_id and t.deleted_at is null
          join team_members o on o.team_id = m.team_id where m.user_id = app_uid()))
    order by u.handle, u.id limit p_limit;
end $$;
