-- Returns answers of a run's gates by step path, with those that it was started with: a run that repeats it reuses them.
create function af_answers_of(p_run uuid) returns json language sql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select json_object_agg(path, answer) from (
    select g.key as path, g.value as answer from runs r, json_each(r.retry_presets) g where r.id = p_run
    union all
    select a.step_path, (select json_object_agg(field, value) from (values
        ('decision', to_json(case a.status when 'timed_out' then 'skipped' else a.status end)),
        ('instructions', to_json(a.instructions)), ('edits', a.edits), ('decided_by', to_json(a.decided_by))) f (field, value)
        where value is not null)
      from approvals a where a.run_id = p_run and a.status in ('approved', 'auto_approved', 'rejected', 'timed_out')) answers
$$;
