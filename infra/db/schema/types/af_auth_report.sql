-- What a source said of a credential.
create type af_auth_report as (
  owner uuid,
  connector text,
  credential text,
  failed boolean,
  status integer,
  endpoint text,
  notification uuid,
  title text,
  body text
);
