-- Tests whether p_scope is covered by p_scopes, as `covers` of core/permissions/scopes.ts does.
create function af_covers(p_scopes text[], p_scope text) returns boolean language sql immutable as $$
  select exists (select from unnest(p_scopes) s
    where split_part(s, ':', 1) = split_part(p_scope, ':', 1)
      and array_position(array['reader', 'editor', 'analyst', 'admin'], split_part(s, ':', 2))
        >= array_position(array['reader', 'editor', 'analyst', 'admin'], split_part(p_scope, ':', 2)))
$$;
