import { shorten } from '../../base/shorten';
import { getContract, suggestAction } from '../../actions/registry';
import type { ActionContract } from '../../actions/types';
import { ENDPOINT_ACTION, endpointName } from '../../playbook/endpoint-name';
import { plannedSteps } from '../catalogue';
import type { LlmStep, StepPlan, ToolStep } from '../../playbook/types';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** The action of a step exists, can be executed (or the step is optional), and fits the step's type. */
export const knownActions: Rule = {
  name: 'known-actions',
  check(context) {
    for (const step of plannedSteps(context.plan)) {
      if (step.kind === 'tool' || step.kind === 'llm_task') checkAction(context, step);
      if (step.undo !== undefined) checkUndo(context, step, step.undo.action);
    }
  },
};

function checkAction(context: RuleContext, step: ToolStep | LlmStep): void {
  if (step.action === '') return;
  // A tool step that is named by an endpoint was made a plain call already; in a model's step it has the wrong type.
  const contract = getContract(endpointName(step.action) === undefined ? step.action : ENDPOINT_ACTION);
  if (contract === undefined) {
    unknown(context, step, ['action'], step.action);
    return;
  }
  if (contract.step_type !== step.kind) wrongType(context, step, contract);
  if (!contract.available && !step.optional) {
    context.report(step, ['action'], {
      code: 'action_not_available',
      message: `The action \`${contract.name}\` is part of the language but cannot be executed yet.`,
      suggestion: 'Remove the step, or write optional: true to have it skipped.',
    });
  }
}

function unknown(context: RuleContext, step: StepPlan, path: string[], action: string): void {
  const near = suggestAction(action);
  context.report(step, path, {
    code: 'unknown_action',
    message: `There is no action \`${shorten(action)}\`.`,
    suggestion: near === undefined ? 'See GET /actions for what there is.' : `Did you mean \`${near}\`?`,
  });
}

function wrongType(context: RuleContext, step: ToolStep | LlmStep, contract: ActionContract): void {
  const right = contract.step_type === 'control' ? 'no step_type' : `step_type: ${contract.step_type}`;
  context.report(step, ['step_type'], {
    code: 'wrong_step_type',
    message: `The action \`${shorten(step.action)}\` cannot be the action of a step of type ${step.kind}.`,
    suggestion: `Write ${right}.`,
  });
}

function checkUndo(context: RuleContext, step: StepPlan, action: string): void {
  if (action !== '' && endpointName(action) === undefined && getContract(action) === undefined)
    unknown(context, step, ['undo', 'action'], action);
}
