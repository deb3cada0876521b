import { shorten } from '../../base/shorten';
import { capitalize } from '../../base/capitalize';
import { getContract } from '../../actions/registry';
import type { FieldSpec } from '../../actions/types';
import type { Json } from '../../base/json';
import type { InputDeclaration, LlmStep, StepPlan, SubPlaybookStep, ToolStep } from '../../playbook/types';
import { plannedSteps } from '../catalogue';
import { checkEnum } from '../choices';
import type { RuleContext } from '../context';
import { inputSpecsOf } from '../input-specs';
import type { Rule } from '../rule';

/** Every required input is wired, and no input is wired that nothing reads. */
export const stepInputs: Rule = {
  name: 'step-inputs',
  check(context) {
    for (const step of plannedSteps(context.plan)) {
      if (step.kind === 'tool' || step.kind === 'llm_task' || step.kind === 'run_playbook') checkInputs(context, step);
    }
  },
};

function checkInputs(context: RuleContext, step: ToolStep | LlmStep | SubPlaybookStep): void {
  const expected = inputSpecsOf(step, context.catalogue);
  if (expected === undefined) return;
  for (const spec of expected.specs) {
    const value = Object.hasOwn(step.inputs, spec.name) ? step.inputs[spec.name] : undefined;
    checkEnum(context, step, ['inputs', spec.name], { spec, value });
    checkNull(context, step, spec, value);
    if (spec.required !== true || spec.default !== undefined || value !== undefined) continue;
    context.report(step, context.has(step, ['inputs']) ? ['inputs', spec.name] : ['inputs'], {
      code: 'missing_required',
      message: `The input \`${spec.name}\` (${spec.type}) of ${expected.owner} is missing.`,
      suggestion: suggestionFor(context, step, spec),
    });
  }
  if (expected.open) return;
  const names = expected.specs.map((spec) => spec.name);
  for (const name of Object.keys(step.inputs)) {
    if (!names.includes(name))
      reportUnknown(context, step, { name, names, owner: expected.owner, params: paramNames(step) });
  }
}

/** A null that is written out, and that the endpoint cannot send, would silently be nothing. */
function checkNull(context: RuleContext, step: StepPlan, { name, nullable }: FieldSpec, value: Json | undefined): void {
  if (nullable !== false || value !== null) return;
  context.report(step, ['inputs', name], {
    code: 'null_not_possible',
    message: `\`${name}\` is null, but the endpoint has no way to send that.`,
    suggestion: `Take \`${name}\` out where there is no value, or give one.`,
  });
}

function paramNames(step: StepPlan): string[] {
  return step.kind === 'tool' || step.kind === 'llm_task'
    ? (getContract(step.action)?.params.map((param) => param.name) ?? [])
    : [];
}

/** The last earlier result that fits, or a playbook input of the same name. */
function suggestionFor(context: RuleContext, step: StepPlan, spec: FieldSpec): string {
  const input = context.plan.inputs.find((declared: InputDeclaration) => declared.name === spec.name);
  if (input) return `Wire it: ${spec.name}: "{${input.name}}".`;
  const source = context.sourceFor(step, spec);
  return source === undefined ? `Write ${spec.name}: <value> under inputs.` : `Wire it: ${spec.name}: "{${source}}".`;
}

interface UnknownInput {
  name: string;
  names: string[];
  owner: string;
  params: string[];
}

function reportUnknown(context: RuleContext, step: StepPlan, found: UnknownInput): void {
  const { name, names, owner, params } = found;
  const near = context.suggest(name, names);
  const known = names.length === 0 ? 'It has no inputs.' : `Known inputs: ${names.join(', ')}.`;
  const suggestion = params.includes(name)
    ? `Move it to params: \`${name}\` is a setting.`
    : near === undefined
      ? known
      : `Did you mean \`${near}\`?`;
  context.report(step, ['inputs', name], {
    code: 'unknown_input',
    message: `${capitalize(owner)} has no input \`${shorten(name)}\`.`,
    suggestion,
    atKey: true,
  });
}
