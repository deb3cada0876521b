import { isJsonObject, type Json } from '../../base/json';
import { parseCondition } from '../../expr/condition';
import type { Reference } from '../../expr/types';
import type { Path } from '../../playbook/source-node';
import type { StepPlan, ToolStep } from '../../playbook/types';
import { columnsAfter, type Columns } from '../columns';
import type { RuleContext } from '../context';
import { checkTypes } from '../expression-types';
import type { Rule } from '../rule';
import { followPath, type Shape } from '../shape';

/** Operators and functions get what they work on, where its type is known. */
export const expressionTypes: Rule = {
  name: 'expression-types',
  check(context) {
    for (const site of context.sites) {
      if (site.grammar !== 'condition' || site.problem !== undefined) continue;
      const typeOf = (ref: Reference): Shape | undefined => {
        const found = context.resolve(site, ref);
        return found.ok ? found.shape : undefined;
      };
      checkText({ context, step: site.step, path: site.path }, site.text, typeOf);
    }
    for (const step of context.steps) {
      if (step.kind === 'tool' && step.action === 'transform_data') checkOperations(context, step);
    }
  },
};

interface Place {
  context: RuleContext;
  step: StepPlan | undefined;
  path: Path;
}

function checkText(place: Place, text: Json | undefined, typeOf: (ref: Reference) => Shape | undefined): void {
  const parsed = typeof text === 'string' ? parseCondition(text) : undefined;
  if (!parsed?.ok) return;
  for (const finding of checkTypes(parsed.value, typeOf)) {
    place.context.report(place.step, place.path, { code: 'type_mismatch', ...finding });
  }
}

/** Row expressions: of a field that the rows are known to have the type is known. */
function checkOperations(context: RuleContext, step: ToolStep): void {
  const operations = context.writtenJson(step, ['params', 'operations']);
  if (!Array.isArray(operations)) return;
  const others = (input: string): Columns => context.columnsOf(step, input);
  let columns = others('data');
  operations.forEach((operation, index) => {
    if (isJsonObject(operation)) {
      const path: Path = ['params', 'operations', index];
      for (const { at, text } of expressionsOf(operation)) {
        const known = columns;
        checkText({ context, step, path: [...path, ...at] }, text, (ref) => fieldOf(known, step, ref));
      }
    }
    columns = columnsAfter(operation, columns, others);
  });
}

function expressionsOf(operation: { [key: string]: Json }): { at: Path; text: Json | undefined }[] {
  const { type, fields } = operation;
  if (type !== 'compute' && type !== 'filter') return [];
  const one = { at: ['expression'], text: operation['expression'] };
  if (type !== 'compute' || !Array.isArray(fields)) return [one];
  const many = fields.map((field, index) => ({
    at: ['fields', index, 'expression'],
    text: isJsonObject(field) ? field['expression'] : undefined,
  }));
  return [one, ...many];
}

function fieldOf(columns: Columns, step: ToolStep, ref: Reference): Shape | undefined {
  const column = columns?.find(({ name }) => name === ref.root);
  if (columns === undefined || column === undefined || Object.hasOwn(step.inputs, ref.root)) return undefined;
  const row: Shape = { type: 'object', fields: [...columns] };
  const found = followPath(row, [{ kind: 'field', name: ref.root }, ...ref.path], ref.text);
  return 'message' in found ? undefined : found;
}
