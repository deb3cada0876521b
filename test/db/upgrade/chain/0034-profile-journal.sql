set local role af_migrate;

-- The journal of one profile: one's own entries, and those of teams, each without reading past the others.
create index journal_owner_profile on journal_entries (owner_id, profile_id, created_at, id) where profile_id is not null;
create index journal_profile_team on journal_entries (profile_id, created_at, id) where team_id is not null;
drop index journal_profile;

reset role;
