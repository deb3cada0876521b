alter table team_invitations enable row level security;
alter table team_invitations force row level security;

create policy team_invitations_af_app on team_invitations for select to af_app
  using (owner_id = (select app_uid()));
create policy team_invitations_af_migrate on team_invitations to af_migrate
  using (true)
  with check (true);
