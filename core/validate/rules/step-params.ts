import { shorten } from '../../base/shorten';
import { getContract } from '../../actions/registry';
import type { ActionContract, FieldSpec } from '../../actions/types';
import type { LlmStep, ToolStep } from '../../playbook/types';
import { plannedSteps } from '../catalogue';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';
import { checkEnum } from '../choices';

/** Params are known to the action, required ones are there, fixed ones hold no references, choices are valid. */
export const stepParams: Rule = {
  name: 'step-params',
  check(context) {
    for (const step of plannedSteps(context.plan)) {
      const contract = step.kind === 'tool' || step.kind === 'llm_task' ? getContract(step.action) : undefined;
      if (contract) checkParams(context, step as ToolStep | LlmStep, contract);
    }
  },
};

function checkParams(context: RuleContext, step: ToolStep | LlmStep, contract: ActionContract): void {
  const known = contract.params.map((param) => param.name);
  for (const name of Object.keys(step.params)) {
    if (!known.includes(name)) reportUnknown(context, step, name, contract);
  }
  for (const param of contract.params) {
    if (Object.hasOwn(step.params, param.name)) checkWritten(context, step, param);
    else if (param.required === true && param.default === undefined) reportMissing(context, step, param);
  }
}

function reportUnknown(context: RuleContext, step: ToolStep | LlmStep, name: string, contract: ActionContract): void {
  const names = contract.params.map((param) => param.name);
  const near = context.suggest(name, names);
  const known = names.length === 0 ? 'It has no params.' : `Known params: ${names.join(', ')}.`;
  const isInput = contract.inputs.some((input) => input.name === name);
  context.report(step, ['params', name], {
    code: 'unknown_param',
    message: `The action \`${contract.name}\` has no param \`${shorten(name)}\`.`,
    suggestion: isInput
      ? `Move it to inputs: \`${name}\` is data.`
      : near === undefined
        ? known
        : `Did you mean \`${near}\`?`,
    atKey: true,
  });
}

function reportMissing(context: RuleContext, step: ToolStep | LlmStep, param: FieldSpec): void {
  const description = param.description === undefined ? '' : ` ${param.description}`;
  context.report(step, ['params', param.name], {
    code: 'missing_required',
    message: `The param \`${param.name}\` (${param.type}) of \`${step.action}\` is missing.`,
    suggestion: `Write ${param.name}: <value> under params.${description}`,
  });
}

function checkWritten(context: RuleContext, step: ToolStep | LlmStep, param: FieldSpec): void {
  const value = step.params[param.name];
  const path = ['params', param.name];
  if (param.literal === true && typeof value === 'string' && value.includes('{')) {
    const message = `\`${param.name}\` must be written out: it decides how the step is checked, so it cannot come from a run.`;
    context.report(step, path, { code: 'must_be_literal', message, suggestion: 'Write the name itself.' });
    return;
  }
  checkEnum(context, step, path, { spec: param, value });
}
