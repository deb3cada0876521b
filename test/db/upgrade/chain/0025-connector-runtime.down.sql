set local role af_migrate;

drop trigger runs_sum_up_calls on runs;
drop trigger secret_rotated on secrets;
drop trigger secret_deleted on secrets;
drop index run_events_calls;
drop function af_sweep_connectors(integer, integer), af_wait_step(uuid, text, integer, text), af_sum_up_calls(),
  app_connector_health(text), af_secret_changed(),
  af_confirmations(uuid, uuid), af_connector_auth(uuid, text, text, boolean, integer, text, uuid, text, text),
  af_record_connector_calls(json), af_drop_answers(uuid, text, text),
  af_revive_answer(uuid, uuid, text, boolean, integer, integer, integer),
  af_cache_answer(uuid, uuid, text, boolean, text, text, integer, json, text, text, integer, integer, integer, bigint),
  af_cached(uuid, uuid, text, boolean), af_cache_place(uuid, uuid, text, boolean),
  af_breaker(text, uuid, text, text, text, integer, integer, integer),
  af_block_bucket(text, uuid, boolean, text, bigint, text),
  af_hold_slots(text, uuid, boolean, text, text, integer, integer, integer),
  af_lease_requests(text, uuid, boolean, text, text[], integer[], integer), af_period(text);
drop table connector_confirmations, connector_bindings, connector_calls, connector_cache, connector_breakers, connector_slots,
  connector_askers, connector_bucket_use, connector_buckets;
alter table connectors drop column imported_at;

reset role;
