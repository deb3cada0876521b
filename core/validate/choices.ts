import { shorten } from '../base/shorten';
import type { FieldSpec } from '../actions/types';
import type { Json } from '../base/json';
import type { Path } from '../playbook/source-node';
import type { StepPlan } from '../playbook/types';
import type { RuleContext } from './context';

/** A value that is written out, or an element of such a list, must be one of the choices that a slot has; with references only the run can tell. */
export function checkEnum(
  context: RuleContext,
  step: StepPlan,
  path: Path,
  { spec, value }: { spec: FieldSpec; value: Json | undefined },
): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => checkEnum(context, step, [...path, index], { spec, value: item }));
    return;
  }
  if (typeof value !== 'string' || value.includes('{') || spec.enum === undefined) return;
  if (spec.not_yet?.includes(value) === true) {
    const message = `\`${spec.name}: ${value}\` is part of the language but cannot be executed yet.`;
    const others = spec.enum.filter((choice) => spec.not_yet?.includes(choice) !== true);
    context.report(step, path, { code: 'action_not_available', message, suggestion: `Use ${others.join(' or ')}.` });
  } else if (!spec.enum.includes(value)) {
    const near = context.suggest(value, spec.enum);
    const message = `\`${spec.name}\` is "${shorten(value)}", but it must be one of ${spec.enum.join(', ')}.`;
    context.report(step, path, {
      code: 'invalid_value',
      message,
      ...(near === undefined ? {} : { suggestion: `Write ${near}.` }),
    });
  }
}
