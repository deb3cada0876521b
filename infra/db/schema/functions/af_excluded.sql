-- Tests whether four-eyes excludes a person: the owner of the run, or the last editor.
create function af_excluded(p_approval approvals, p_user uuid) returns boolean language plpgsql stable as $$
begin
  return p_approval.four_eyes and af_person(p_user) in (af_person(p_approval.owner_id),
    coalesce(af_person(p_approval.edited_by), af_person(p_approval.owner_id)));
end $$;
