-- Report whether a source accepted a credential, as af_connector_auth takes it.
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
