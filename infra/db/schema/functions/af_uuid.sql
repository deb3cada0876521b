-- Converts a text to a UUID, or null: another text must not end a query with an error.
create function af_uuid(p_text text) returns uuid language plpgsql immutable as $$
begin
  return case when p_text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_text::uuid end;
end $$;
