import { plannedSteps } from '../catalogue';
import type { LlmStep } from '../../playbook/types';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** Every llm_task says what it returns; the one that decides a route returns a label. */
export const missingOutputSchema: Rule = {
  name: 'missing-output-schema',
  check(context) {
    for (const step of plannedSteps(context.plan)) {
      if (step.kind === 'route' && typeof step.on !== 'string') checkRouter(context, step.on);
      else if (step.kind === 'llm_task' && context.index.positions.has(step)) checkSchema(context, step);
    }
  },
};

function checkSchema(context: RuleContext, step: LlmStep): void {
  if (step.output_schema.fields.length > 0) return;
  const written = context.has(step, ['output_schema']);
  context.report(step, ['output_schema'], {
    code: 'missing_output_schema',
    message: written
      ? 'The `output_schema` of an llm_task declares no field, so later steps cannot use the result.'
      : 'An llm_task needs an `output_schema`: later steps can only use fields that it declares.',
    suggestion: 'Write output_schema: {type: object, fields: [{name: summary, type: string}]}.',
  });
}

function checkRouter(context: RuleContext, router: LlmStep): void {
  const label = router.output_schema.fields.find((field) => field.name === 'label');
  if (router.output_schema.type === 'object' && label?.type === 'string') return;
  context.report(router, ['output_schema'], {
    code: 'missing_output_schema',
    message: 'The model that decides a route must return an object with the text field `label`.',
    suggestion: 'Leave out output_schema, or add {name: label, type: string} to its fields.',
  });
}
