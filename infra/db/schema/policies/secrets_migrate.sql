-- Lets functions that run as the owner of the tables read ciphertexts, never write them: only the application
-- encrypts.
create policy secrets_migrate on secrets for select to af_migrate
  using (true);
