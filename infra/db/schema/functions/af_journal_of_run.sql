-- Copies profile and team of the run into a journal entry, whoever writes it.
create function af_journal_of_run() returns trigger language plpgsql as $$
begin
  select r.profile_id, r.profile_owner_id, r.team_id, r.playbook_id
    into new.profile_id, new.profile_owner_id, new.team_id, new.playbook_id
    from runs r where r.id = new.run_id;
  return new;
end $$;
