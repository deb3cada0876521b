import type { Json } from '../base/json';
import type { Path } from './source-node';
import type { ApprovalStep, LlmStep, OutputDestination, OutputPlan, OutputSection, StepPlan } from './types';

/** Place from which a reference looks: a step, the end of a loop's body (`until`), or the end of the playbook. */
export interface ReferenceScope {
  step?: StepPlan;
  /** True: the place after the inner steps of `step`. */
  after?: boolean;
}

/** A text of the playbook that may hold references. */
export interface ExpressionSite {
  /** Step whose mapping `path` starts in; absent = the playbook. */
  step?: StepPlan;
  path: Path;
  text: string;
  grammar: 'template' | 'condition' | 'reference';
  from: ReferenceScope;
}

/** Every text of a step that a run fills in, in the order of the usual layout. */
export function stepSites(step: StepPlan): ExpressionSite[] {
  const from = { step };
  const common: ExpressionSite[] =
    step.condition === undefined
      ? []
      : [{ step, path: ['condition'], text: step.condition, grammar: 'condition', from }];
  const undo = step.undo === undefined ? [] : templates(step, ['undo', 'inputs'], step.undo.inputs, { step });
  return [...common, ...ownSites(step), ...undo];
}

function ownSites(step: StepPlan): ExpressionSite[] {
  const from = { step };
  switch (step.kind) {
    case 'tool':
    case 'llm_task':
      return [...templates(step, ['inputs'], step.inputs, from), ...templates(step, ['params'], step.params, from)];
    case 'run_playbook':
      return templates(step, ['inputs'], step.inputs, from);
    case 'approval':
      return gateSites(step);
    case 'for_each':
      return templates(step, ['for_each', 'items'], step.items, from);
    case 'loop':
      return [{ step, path: ['loop', 'until'], text: step.until, grammar: 'condition', from: { step, after: true } }];
    case 'route':
      return typeof step.on === 'string' ? templates(step, ['route', 'on'], step.on, from) : routerSites(step.on, step);
    case 'parallel':
      return [];
  }
}

function gateSites(step: ApprovalStep): ExpressionSite[] {
  const prompt = templates(step, ['prompt'], step.prompt, { step });
  if (step.preview_from === undefined) return prompt;
  return [...prompt, { step, path: ['preview_from'], text: step.preview_from, grammar: 'reference', from: { step } }];
}

/** The model that decides a route sees what the route sees. */
function routerSites(router: LlmStep, route: StepPlan): ExpressionSite[] {
  const from = { step: route };
  return [...templates(router, ['inputs'], router.inputs, from), ...templates(router, ['params'], router.params, from)];
}

/**
 * Texts of the playbook's output: they can read every result that exists at the end. The `config` of a destination is
 * none of them.
 */
export function outputSites(
  output: OutputPlan,
  sections: readonly { section: OutputSection; path: Path }[],
  destinations: readonly { destination: OutputDestination; path: Path }[],
): ExpressionSite[] {
  const from: ReferenceScope = {};
  const sites: ExpressionSite[] = [];
  for (const field of ['title', 'summary'] as const)
    sites.push(...templates(undefined, ['output', field], output[field] ?? null, from));
  for (const { section, path } of sections) {
    sites.push({ path: [...path, 'source'], text: section.source, grammar: 'reference', from });
    sites.push(...templates(undefined, [...path, 'title'], section.title, from));
  }
  for (const { destination, path } of destinations) {
    if (destination.condition !== undefined) {
      sites.push({ path: [...path, 'condition'], text: destination.condition, grammar: 'condition', from });
    }
  }
  return sites;
}

function templates(step: StepPlan | undefined, path: Path, value: Json, from: ReferenceScope): ExpressionSite[] {
  const base = step === undefined ? {} : { step };
  if (typeof value === 'string') return [{ ...base, path, text: value, grammar: 'template', from }];
  if (Array.isArray(value)) return value.flatMap((item, index) => templates(step, [...path, index], item, from));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => templates(step, [...path, key], inner, from));
}
