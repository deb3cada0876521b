import { getContract } from '../actions/registry';
import type { Draft } from './draft';
import { ENDPOINT_ACTION, endpointName } from './endpoint-name';
import { MAX_DEPTH, MAX_STEPS } from './limits';
import type { MapReader } from './map-reader';
import { checkName } from './names';
import { parseApproval } from './parse-approval';
import { parseCommon } from './parse-common';
import { parseForEach, parseLoop, parseParallel, parseRoute } from './parse-shapes';
import { parseEnd } from './parse-end';
import { parseLlm, parseSubPlaybook, parseTool } from './parse-work';
import { toJson, type ListNode } from './source-node';
import type { StepContext } from './step-context';
import { allowedFields, KIND_NAMES, ownersOf, STEP_FIELDS, type StepShape } from './step-fields';
import { SHAPES, stepKind } from './step-kind';
import type { StepPlan } from './types';

/** The steps of a list field. Counts them all and stops reading at the caps. */
export function parseStepList(owner: MapReader, field: string, draft: Draft, depth = 1): StepPlan[] {
  const list = owner.list(field, { required: true });
  if (list === undefined) return [];
  if (list.items.length === 0) {
    owner.report({ code: 'empty_list', message: `\`${field}\` has no steps; at least one is needed.` }, field);
  }
  if (depth > MAX_DEPTH) {
    const message = `Steps lie more than ${MAX_DEPTH} lists deep here.`;
    const suggestion = 'Move inner steps into a playbook of their own and call it with run_playbook.';
    owner.report({ code: 'too_deep', message, suggestion }, field);
    return [];
  }
  const parseList = (inner: MapReader, name: string): StepPlan[] => parseStepList(inner, name, draft, depth + 1);
  return parseItems(owner, field, list, { draft, depth, parseList });
}

function parseItems(owner: MapReader, field: string, list: ListNode, context: StepContext): StepPlan[] {
  const steps: StepPlan[] = [];
  for (const [index, item] of list.items.entries()) {
    if (item.kind !== 'map') {
      owner.wrongElement(field, index, item, 'a step (a mapping)');
      continue;
    }
    context.draft.stepCount += 1;
    if (context.draft.stepCount > MAX_STEPS) {
      if (context.draft.stepCount === MAX_STEPS + 1) reportTooMany(owner, field, item.at);
      break;
    }
    const step = parseStep(owner.inner(item, `${field}[${index}]`), context);
    context.draft.nodes.set(step, item);
    steps.push(step);
  }
  return steps;
}

function reportTooMany(owner: MapReader, field: string, at: number): void {
  owner.report(
    {
      code: 'too_many_steps',
      message: `A playbook has at most ${MAX_STEPS} steps; what begins here is more.`,
      suggestion: 'Use for_each for repeated work, or split the work into playbooks and call them with run_playbook.',
      at,
    },
    field,
  );
}

function parseStep(outer: MapReader, context: StepContext): StepPlan {
  const name = readName(outer, context.draft);
  const reader = outer.ofStep(name);
  const kind = stepKind(reader);
  checkFields(reader, kind);
  const common = parseCommon(reader, name, kind);
  switch (kind) {
    case 'tool':
      return parseTool(reader, common);
    case 'llm_task':
      return parseLlm(reader, common);
    case 'approval':
      return parseApproval(reader, common);
    case 'parallel':
      return parseParallel(reader, common, context);
    case 'for_each':
      return parseForEach(reader, common, context);
    case 'loop':
      return parseLoop(reader, common, context);
    case 'route':
      return parseRoute(reader, common, context);
    case 'run_playbook':
      return parseSubPlaybook(reader, common);
    case 'end':
      return parseEnd(reader, common);
  }
}

/** A step without a usable name gets a stand-in, so that everything else about it is still checked. */
function readName(reader: MapReader, draft: Draft): string {
  const name = reader.string('name', { required: true });
  if (name !== undefined && checkName(reader, 'name', name)) return name;
  return `step_${draft.stepCount}`;
}

function checkFields(reader: MapReader, kind: StepShape): void {
  const allowed = new Set(allowedFields(kind));
  const folded = foldedFields(reader, kind);
  for (const [key, entry] of reader.node.entries) {
    if (allowed.has(key) || folded.includes(key)) continue;
    if (!STEP_FIELDS.includes(key) || isOtherShape(key, kind)) continue;
    if (entry.value.kind !== 'list' && isEmpty(toJson(entry.value))) continue;
    if (key === 'timeout_seconds') warnTimeout(reader, kind);
    else rejectField(reader, kind, key);
  }
  reader.rejectUnknown([...new Set([...STEP_FIELDS, ...folded])], 'A step');
}

/** A second shape is reported as such, not as a field. */
function isOtherShape(key: string, kind: StepShape): boolean {
  return SHAPES.some((shape) => shape === key) && !['tool', 'llm_task', 'approval'].includes(kind);
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

/** Parameters of the action that may stand beside `params`. */
function foldedFields(reader: MapReader, kind: StepShape): string[] {
  if (kind !== 'tool' && kind !== 'llm_task') return [];
  const action = reader.peekString('action') ?? '';
  const contract = getContract(endpointName(action) === undefined ? action : ENDPOINT_ACTION);
  return contract === undefined ? ['connector', 'endpoint', 'operations'] : contract.params.map((param) => param.name);
}

function rejectField(reader: MapReader, kind: StepShape, key: string): void {
  reader.report(
    {
      code: 'field_not_allowed',
      message: `\`${key}\` has no meaning in ${KIND_NAMES[kind]}.`,
      suggestion: `It belongs to ${ownersOf(key)}. Remove it here.`,
      at: reader.keyPlaceOf(key),
    },
    key,
  );
}

function warnTimeout(reader: MapReader, kind: StepShape): void {
  reader.report(
    {
      severity: 'warning',
      code: 'field_without_effect',
      message: `\`timeout_seconds\` does nothing in ${KIND_NAMES[kind]}: it limits tool and llm_task steps.`,
      suggestion: kind === 'approval' ? 'Use timeout_minutes.' : 'Set it on the steps inside.',
      at: reader.keyPlaceOf('timeout_seconds'),
    },
    'timeout_seconds',
  );
}
