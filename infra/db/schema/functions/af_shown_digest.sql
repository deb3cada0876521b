-- Returns the digest of the action with all edits so far, which a decision must name.
create function af_shown_digest(p_approval approvals) returns text language sql immutable as $$
  select coalesce(p_approval.edited_digest, p_approval.digest)
$$;
