import type { Json } from '../base/json';
import { MAX_ITERATIONS } from './limits';
import type { MapReader } from './map-reader';
import { checkName } from './names';
import { parseCommon } from './parse-common';
import { parseLlm } from './parse-work';
import { toJson } from './source-node';
import type { StepContext } from './step-context';
import type { ForEachStep, LlmStep, LoopStep, ParallelStep, RouteStep, StepCommon } from './types';

const MAX_PARALLEL = 100;

export function parseParallel(reader: MapReader, common: StepCommon, context: StepContext): ParallelStep {
  return { ...common, kind: 'parallel', steps: context.parseList(reader, 'parallel_steps') };
}

export function parseForEach(reader: MapReader, common: StepCommon, context: StepContext): ForEachStep {
  const body = reader.map('for_each');
  if (body === undefined) {
    return { ...common, kind: 'for_each', items: [], as: 'item', max_parallel: 10, steps: [] };
  }
  body.rejectUnknown(['items', 'as', 'max_parallel', 'steps'], '`for_each`');
  const as = body.string('as');
  return {
    ...common,
    kind: 'for_each',
    items: parseItemsOf(body),
    as: as !== undefined && checkName(body, 'as', as) ? as : 'item',
    max_parallel: body.number('max_parallel', { integer: true, min: 1, max: MAX_PARALLEL }) ?? 10,
    steps: context.parseList(body, 'steps'),
  };
}

function parseItemsOf(body: MapReader): Json {
  const node = body.get('items');
  if (node === undefined) {
    body.missing('items', 'Write items: "{step.results}", or a list.');
    return [];
  }
  const isText = node.kind === 'scalar' && typeof node.value === 'string';
  if (isText || node.kind === 'list') return toJson(node);
  body.wrongType('items', node, 'a reference to a list, or a list');
  return [];
}

export function parseLoop(reader: MapReader, common: StepCommon, context: StepContext): LoopStep {
  const body = reader.map('loop');
  if (body === undefined) return { ...common, kind: 'loop', until: 'true', max_iterations: 1, steps: [] };
  body.rejectUnknown(['until', 'max_iterations', 'steps'], '`loop`');
  return {
    ...common,
    kind: 'loop',
    until: body.text('until', { required: true }) ?? 'true',
    max_iterations: body.number('max_iterations', { required: true, integer: true, min: 1, max: MAX_ITERATIONS }) ?? 1,
    steps: context.parseList(body, 'steps'),
  };
}

export function parseRoute(reader: MapReader, common: StepCommon, context: StepContext): RouteStep {
  const body = reader.map('route');
  if (body === undefined) return { ...common, kind: 'route', on: '', routes: [] };
  body.rejectUnknown(['on', 'routes', 'default'], '`route`');
  const on = parseOn(body, common.name, context);
  const routes = parseRoutes(body, context);
  const fallback = body.text('default');
  const labels = routes.map((route) => route.label);
  if (fallback !== undefined && !labels.includes(fallback)) {
    const message = `\`default\` is "${fallback}", but it must be one of the labels ${labels.join(', ')}.`;
    body.report({ code: 'invalid_value', message }, 'default');
  }
  return { ...common, kind: 'route', on, routes, ...(fallback === undefined ? {} : { default: fallback }) };
}

function parseRoutes(body: MapReader, context: StepContext): RouteStep['routes'] {
  const routes = body.map('routes', { required: true });
  if (routes === undefined) return [];
  const labels = [...routes.node.entries.keys()];
  if (labels.length === 0) {
    body.report({ code: 'empty_list', message: '`routes` has no labels; at least one is needed.' }, 'routes');
  }
  return labels.map((label) => ({ label, steps: routes.has(label) ? context.parseList(routes, label) : [] }));
}

/** `on` is a text with references, or a model task that answers with a label. */
function parseOn(body: MapReader, step: string, context: StepContext): string | LlmStep {
  const node = body.get('on');
  if (node?.kind !== 'map') return body.text('on', { required: true }) ?? '';
  const reader = body.inner(node, 'on');
  const written = reader.string('name');
  const name = written !== undefined && checkName(reader, 'name', written) ? written : `${step}_router`;
  reader.rejectUnknown(ROUTER_FIELDS, 'The `on` of a route');
  const router = parseLlm(reader, parseCommon(reader, name, 'llm_task'));
  if (!reader.has('output_schema')) router.output_schema = LABEL_SCHEMA;
  context.draft.nodes.set(router, node);
  return router;
}

const LABEL_SCHEMA: LlmStep['output_schema'] = {
  type: 'object',
  fields: [{ name: 'label', type: 'string', required: true }],
};

const ROUTER_FIELDS = [
  'name',
  'description',
  'step_type',
  'action',
  'inputs',
  'params',
  'output_schema',
  'on_error',
  'retry_count',
  'timeout_seconds',
];
