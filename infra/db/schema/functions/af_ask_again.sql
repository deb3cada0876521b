-- Copies effects with an unknown outcome into the run that retries: nothing may repeat them before a person says what happened.
create function af_ask_again(p_from uuid, p_to uuid) returns void language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into step_attempts (run_id, effect_key, try_no, owner_id, step_path, effect, effect_target, effect_sent_count,
      effect_sent_at, resolution, resolved_at, input_digest, left_as)
    select p_to, a.effect_key, a.try_no, a.owner_id, a.step_path, a.effect, a.effect_target, a.effect_sent_count,
      a.effect_sent_at, a.resolution, a.resolved_at, a.input_digest, a.left_as
    from step_attempts a join runs t on t.id = p_to
    where a.run_id = p_from and a.effect = 'unsafe' and a.effect_sent_count > 0
      and not af_renewed(t.effect_keys, p_to, a.step_path) and not af_renewed(t.effect_keys, af_shared_keys(p_from), a.step_path)
      and not exists (select from step_results s
        where s.run_id in (p_from, p_to) and s.effect_key = a.effect_key and s.try_no = a.try_no);
end $$;
