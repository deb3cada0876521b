-- Counts the changes of a row, for the ETag of the API (af_next_version).
create trigger profile_skills_next_version before update on profile_skills
  for each row execute function af_next_version();
