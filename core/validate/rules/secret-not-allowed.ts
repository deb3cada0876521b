import { isJsonObject, type Json } from '../../base/json';
import type { Path } from '../../playbook/source-node';
import { plannedSteps } from '../catalogue';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';
import type { StepPlan } from '../../playbook/types';

/** `{secret: name}` belongs into the auth of a connector: a value in a step would end up in histories and logs. */
export const secretNotAllowed: Rule = {
  name: 'secret-not-allowed',
  check(context) {
    for (const step of plannedSteps(context.plan)) {
      if (step.kind === 'tool' || step.kind === 'llm_task' || step.kind === 'run_playbook')
        search(context, step, ['inputs'], step.inputs);
      if (step.kind === 'tool' || step.kind === 'llm_task') search(context, step, ['params'], step.params);
      if (step.kind === 'for_each') search(context, step, ['for_each', 'items'], step.items);
      if (step.undo !== undefined) search(context, step, ['undo', 'inputs'], step.undo.inputs);
    }
    for (const { destination, path } of context.writtenDestinations())
      search(context, undefined, [...path, 'config'], destination.config);
  },
};

function search(context: RuleContext, step: StepPlan | undefined, path: Path, value: Json): void {
  if (Array.isArray(value)) value.forEach((item, index) => search(context, step, [...path, index], item));
  if (!isJsonObject(value)) return;
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === 'secret') {
    context.report(step, path, {
      code: 'secret_not_allowed',
      message: 'A secret can only be used in the auth of a connector, never in a playbook.',
      suggestion: 'Put the secret into the connector and call it with call_connector.',
    });
    return;
  }
  for (const key of keys) search(context, step, [...path, key], value[key] ?? null);
}
