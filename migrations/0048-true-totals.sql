set local role af_migrate;

-- Model calls that cost_usd does not hold: no price is known for their model, or their provider reported no tokens.
alter table runs add column unpriced_calls integer not null default 0;

update runs r set unpriced_calls = c.calls
  from (select run_id, count(*) as calls from model_calls where cost_usd is null group by run_id) c where c.run_id = r.id;
