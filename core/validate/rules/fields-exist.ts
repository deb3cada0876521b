import { shorten } from '../../base/shorten';
import { isJsonObject, type Json, type JsonObject } from '../../base/json';
import { collectConditionReferences, parseCondition } from '../../expr/condition';
import type { Reference } from '../../expr/types';
import type { Path } from '../../playbook/source-node';
import type { ToolStep } from '../../playbook/types';
import { columnAt, columnsAfter, fieldsRead, namesIn, type Columns, type FieldRead } from '../columns';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';
import { followPath } from '../shape';

/**
 * Fields of records that a step names are there, where it is known which ones there are: of a mapped endpoint, of a model's
 * schema, of an action, or of a transform over one of these.
 */
export const fieldsExist: Rule = {
  name: 'fields-exist',
  check(context) {
    for (const step of context.steps) {
      if (step.kind !== 'tool') continue;
      if (step.action === 'transform_data') checkOperations(context, step);
      else checkKeys(context, step);
      if (step.action === 'route_output') checkTablesOfStep(context, step);
    }
    for (const { destination, path } of context.writtenDestinations()) {
      const { section } = destination.config;
      checkTable({ context, step: undefined, path }, destination, columnsOfSection(context, section));
    }
  },
};

interface Place {
  context: RuleContext;
  step: ToolStep | undefined;
  path: Path;
}
interface StepPlace extends Place {
  step: ToolStep;
}

function checkOperations(context: RuleContext, step: ToolStep): void {
  const operations = context.writtenJson(step, ['params', 'operations']);
  if (!Array.isArray(operations)) return;
  const others = (input: string): Columns => context.columnsOf(step, input);
  let columns = others('data');
  operations.forEach((operation, index) => {
    if (isJsonObject(operation)) {
      const place: StepPlace = { context, step, path: ['params', 'operations', index] };
      for (const read of fieldsRead(operation)) {
        checkName(place, read, read.of === undefined ? columns : others(read.of));
      }
      checkExpressions(place, operation, columns);
    }
    columns = columnsAfter(operation, columns, others);
  });
}

function checkName({ context, step, path }: Place, { name, path: inside, of }: FieldRead, columns: Columns): void {
  if (columns === undefined || columnAt(name, columns) !== undefined) return;
  const whose = of === undefined ? 'The records here' : `The records of \`${of}\``;
  context.report(step, [...path, ...inside], {
    code: 'unresolved_reference',
    message: `${whose} have no field \`${shorten(name)}\`.`,
    suggestion: suggestionFor(context, name, columns),
  });
}

function suggestionFor(context: RuleContext, name: string, columns: readonly { name: string }[]): string {
  const names = columns.map((column) => column.name);
  const near = context.suggest(name, names);
  const known = names.length === 0 ? 'They have none.' : `Known fields: ${names.slice(0, 20).join(', ')}.`;
  return near === undefined ? known : `Did you mean \`${near}\`? ${known}`;
}

/** Expressions of one operation; in `compute` a later one knows the columns before it. */
function checkExpressions(place: StepPlace, operation: JsonObject, columns: Columns): void {
  const { type, fields } = operation;
  if (type === 'compute' && Array.isArray(fields)) {
    let known = columns;
    fields.forEach((field, index) => {
      if (!isJsonObject(field)) return;
      checkExpression({ ...place, path: [...place.path, 'fields', index, 'expression'] }, field['expression'], known);
      known = columnsAfter({ type, fields: [field] }, known, () => undefined);
    });
  }
  if (type === 'compute' || type === 'filter') {
    checkExpression({ ...place, path: [...place.path, 'expression'] }, operation['expression'], columns);
  }
}

/** A row expression names fields of the row and other inputs of the step; nothing of the run reaches it otherwise. */
function checkExpression(place: StepPlace, value: Json | undefined, columns: Columns): void {
  const parsed = typeof value === 'string' ? parseCondition(value) : undefined;
  if (!parsed?.ok) return;
  for (const ref of collectConditionReferences(parsed.value)) {
    if (!Object.hasOwn(place.step.inputs, ref.root)) checkRowReference(place, ref, columns);
  }
}

function checkRowReference(place: Place, ref: Reference, columns: Columns): void {
  const { context, step, path } = place;
  const isOfTheRun =
    context.plan.inputs.some((input) => input.name === ref.root) || context.index.withKey(ref.root) !== undefined;
  const wire = `Add ${ref.root}: "{${ref.root}}" to the inputs of the step`;
  if (columns === undefined) {
    if (!isOfTheRun) return;
    context.report(step, path, {
      severity: 'warning',
      code: 'row_expression_scope',
      message: `{${ref.text}} is read from the row here, not from the run: a row expression sees the row and the step's inputs.`,
      suggestion: `${wire}, unless the rows have a field of that name.`,
      offset: ref.offset,
    });
    return;
  }
  const found = followPath(
    { type: 'object', fields: [...columns] },
    [{ kind: 'field', name: ref.root }, ...ref.path],
    ref.text,
  );
  if (!('message' in found)) return;
  const isUnknown = !columns.some(({ name }) => name === ref.root);
  const message = isUnknown ? `The records here have no field \`${ref.root}\`.` : found.message;
  const suggestion = isUnknown
    ? isOfTheRun
      ? `${wire}: a row expression sees the row and the step's inputs.`
      : suggestionFor(context, ref.root, columns)
    : found.suggestion;
  context.report(step, path, {
    code: 'unresolved_reference',
    message,
    offset: ref.offset,
    ...(suggestion === undefined ? {} : { suggestion }),
  });
}

/** Params of other actions that name fields of an input's records. */
const KEYS: Readonly<Record<string, readonly { param: string; input: string; unless?: string }[]>> = {
  save_to_workspace: [{ param: 'upsert_key', input: 'data' }],
  cross_reference: [
    { param: 'field_a', input: 'dataset_a' },
    { param: 'field_b', input: 'dataset_b' },
    { param: 'field_a', input: 'dataset_b', unless: 'field_b' },
  ],
};

function checkKeys(context: RuleContext, step: ToolStep): void {
  const keys = Object.hasOwn(KEYS, step.action) ? (KEYS[step.action] ?? []) : [];
  for (const { param, input, unless } of keys) {
    if (unless !== undefined && context.has(step, ['params', unless])) continue;
    const value = context.writtenJson(step, ['params', param]);
    for (const { name, path } of namesIn(value, [])) {
      checkName({ context, step, path: ['params', param] }, { name, path, of: input }, context.columnsOf(step, input));
    }
  }
}

/** Settings of a table that name fields of the rows. */
const OF_TABLE = ['upsert_key', 'deduplication_key'];

function checkTable(place: Place, { type, config }: { type: string; config: JsonObject }, columns: Columns): void {
  if (type !== 'data_workspace_table' || columns === undefined) return;
  const inside = { ...place, path: [...place.path, 'config'] };
  for (const param of OF_TABLE) for (const read of namesIn(config[param], [param])) checkName(inside, read, columns);
  const mapping = config['schema_mapping'];
  for (const name of isJsonObject(mapping) ? Object.keys(mapping) : []) {
    checkName(inside, { name, path: ['schema_mapping', name] }, columns);
  }
}

/** Checks tables of a step: there the destinations are a param, and the rows are its `data`. */
function checkTablesOfStep(context: RuleContext, step: ToolStep): void {
  const list = context.writtenJson(step, ['params', 'destinations']);
  if (!Array.isArray(list)) return;
  const columns = context.columnsOf(step, 'data');
  list.forEach((entry, index) => {
    const { type, config } = isJsonObject(entry) ? entry : {};
    if (typeof type !== 'string' || !isJsonObject(config)) return;
    checkTable({ context, step, path: ['params', 'destinations', index] }, { type, config }, columns);
  });
}

/** Columns of the section that a table is written from: the named one, or the only one. */
function columnsOfSection(context: RuleContext, title: Json | undefined): Columns {
  const sections = context.plan.output?.sections ?? [];
  const found =
    title === undefined && sections.length === 1
      ? sections[0]
      : sections.find((section) => title !== undefined && section.title === title);
  return found === undefined ? undefined : context.columnsOfReference(found.source);
}
