-- A text as UUID, or null: a name that is none must not end a query.
create function af_uuid(p_text text) returns uuid language plpgsql immutable as $$
begin
  return case when p_text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_text::uuid end;
end $$;
