import { getContract } from '../actions/registry';
import { cols } from '../actions/define';
import type { FieldSpec } from '../actions/types';
import { parseTemplate } from '../expr/template';
import type { ForEachStep, LlmStep, OutputSchemaField, StepPlan, ToolStep } from '../playbook/types';
import type { Catalogue } from './catalogue';
import { columnsAfter, type Columns } from './columns';
import { ANY, elementType, isList, shapeOf, type Shape } from './shape';

/** Facts beside the step that the shape of its result depends on. */
export interface ShapeSources {
  catalogue: Catalogue;
  /** Shape of a value wired to an input, for results that follow their input. */
  shapeOfReference: (text: string, step: StepPlan) => Shape | undefined;
  /** Memo: shapes of other steps. */
  resultOf: (step: StepPlan) => Shape;
}

const GATE_FIELDS = cols('decision', 'instructions', 'edits:object', 'decided_by');

/** The shape of the whole result of a step, as `{key.result}` reads it. */
export function resultShape(step: StepPlan, sources: ShapeSources): Shape {
  switch (step.kind) {
    case 'tool':
      return toolShape(step, sources);
    case 'llm_task':
      return modelShape(step);
    case 'approval':
      return record(GATE_FIELDS);
    case 'parallel':
      return record(cols('count:integer', 'failed_count:integer'));
    case 'for_each':
      return eachShape(step, sources);
    case 'loop':
      return record(cols('iterations:integer', 'done:boolean'));
    case 'route':
      return record(cols('label'));
    case 'run_playbook':
      return record(getContract('run_playbook')?.outputs ?? []);
  }
}

function record(fields: FieldSpec[]): Shape {
  return { type: 'object', fields };
}

function eachShape(step: ForEachStep, sources: ShapeSources): Shape {
  const last = step.steps[step.steps.length - 1];
  const element = last === undefined ? ANY : sources.resultOf(last);
  const results: FieldSpec = {
    name: 'results',
    type: isList(element.type) ? 'any[]' : `${element.type}[]`,
    ...(element.fields === undefined ? {} : { fields: element.fields }),
  };
  const errors: FieldSpec = {
    name: 'errors',
    type: 'record[]',
    fields: cols('index:integer', 'step', 'code', 'message'),
  };
  return record([results, ...cols('count:integer', 'failed_count:integer'), errors]);
}

function toolShape(step: ToolStep, sources: ShapeSources): Shape {
  const contract = getContract(step.action);
  if (contract === undefined) return ANY;
  if (contract.dynamic === 'connector_endpoint') return endpointShape(step, sources.catalogue);
  if (contract.dynamic === 'input_shape') return record(contract.outputs.map((out) => followInput(out, step, sources)));
  return contract.outputs.length === 0 ? ANY : record(contract.outputs);
}

function endpointShape(step: ToolStep, catalogue: Catalogue): Shape {
  const { connector, endpoint } = step.params;
  if (typeof connector !== 'string' || typeof endpoint !== 'string') return ANY;
  const endpoints = catalogue.connector(connector)?.endpoints ?? {};
  const entry = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined;
  return entry === undefined || entry.outputs.length === 0 ? ANY : record(entry.outputs);
}

/** `transform_data` gives the fields of its input, as its operations change them. */
function followInput(out: FieldSpec, step: ToolStep, sources: ShapeSources): FieldSpec {
  const operations = step.params['operations'];
  if (out.name !== 'data' || !Array.isArray(operations)) return out;
  const columnsOf = (input: string): Columns => columnsOfInput(step, input, sources);
  const columns = operations.reduce<Columns>(
    (known, operation) => columnsAfter(operation, known, columnsOf),
    columnsOf('data'),
  );
  return columns === undefined ? out : { ...out, fields: [...columns] };
}

/** Columns of the records that an input of a step is wired to. */
export function columnsOfInput(
  step: ToolStep,
  input: string,
  { shapeOfReference }: Pick<ShapeSources, 'shapeOfReference'>,
): Columns {
  const source = Object.hasOwn(step.inputs, input) ? step.inputs[input] : undefined;
  const parsed = typeof source === 'string' ? parseTemplate(source) : undefined;
  if (!parsed?.ok || parsed.value.kind !== 'whole') return undefined;
  return columnsOfShape(shapeOfReference(parsed.value.ref.text, step));
}

export function columnsOfShape(shape: Shape | undefined): Columns {
  return shape !== undefined && isList(shape.type) && elementType(shape.type) !== 'any' ? shape.fields : undefined;
}

function modelShape(step: LlmStep): Shape {
  const { type, fields } = step.output_schema;
  if (fields.length === 0) return type === 'object' ? ANY : wrapModel(type, { name: 'value', type: 'any' }, undefined);
  const specs = fields.map(schemaField);
  if (type === 'object') return record(specs);
  return wrapModel(type, specs[0] ?? { name: 'value', type: 'any' }, specs);
}

function wrapModel(type: string, first: FieldSpec, fields: FieldSpec[] | undefined): Shape {
  if (type === 'scalar') return record([{ ...first, name: 'value' }]);
  return record([{ name: 'results', type: 'record[]', ...(fields === undefined ? {} : { fields }) }]);
}

function schemaField(field: OutputSchemaField): FieldSpec {
  const shape = shapeOf({ name: field.name, type: field.type });
  const inner = field.fields?.map(schemaField);
  return { name: field.name, type: shape.type, ...(inner === undefined ? {} : { fields: inner }) };
}
