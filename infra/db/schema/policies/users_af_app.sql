-- Restricts people to their own account: names of others come from app_people and app_team_people.
create policy users_af_app on users for select to af_app
  using (id = (select app_uid()));
