-- Rights of the login that every process connects with: these functions and no table, so that a statement without a role reads nothing.
grant execute on function
  af_approval, af_approval_link, af_approval_waits, af_audit, af_await_turn, af_begin_login, af_block_bucket,
  af_bound_connector, af_bound_secret, af_breaker, af_cache_answer, af_cached, af_child_before, af_confirmations,
  af_connector_auth, af_count_decision, af_decision, af_drop_answers,
  af_effect_sent, af_end_login, af_ended_credentials, af_events_horizon, af_expire_approval, af_finish, af_finish_tree, af_has_blob, af_hold_slots,
  af_identify, af_import_dirs, af_insert_run, af_latest_connectors, af_lease_requests, af_link, af_linked_run, af_log_pages,
  af_may_read, af_migrations, af_nudge_approval, af_open_log, af_open_model_call, af_open_session, af_owner_events, af_playbook_to_start,
  af_put_blob, af_read_blob, af_receive_decision, af_record_connector_calls, af_refresh,
  af_register, af_release, af_renew_watch, af_repeat_child, af_retry_child, af_revive_answer, af_run, af_run_by_key,
  af_run_children, af_run_playbook, af_run_started, af_run_to_work, af_schema_version, af_sent_elsewhere, af_set_password, af_settle_approval,
  af_settle_and_finish, af_settle_decision, af_settle_model_call, af_step,
  af_sweep_connectors, af_take_decision, af_transition, af_use_approval_link, af_use_link, af_wait_step
to af_login;
