-- Shows the owner of a run the links that exist for its requests, never their tokens (the grant leaves out the hash).
create policy approval_links_af_app on approval_links for select to af_app
  using (owner_id = (select app_uid()));
