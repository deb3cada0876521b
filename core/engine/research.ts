import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { jsonText } from '../base/json-text';
import type { StepError } from '../errors/app-error';
import type { LlmStep, StepPlan } from '../playbook/types';
import type { UnitOutcome } from './inbox';
import { nodeOf, stepOf, type Machine } from './machine';
import { fieldOf } from './scope';
import { settleFailed, settleOk } from './settle';
import { actionOf, noteAnswer, noteRefusal, toolGaps } from './tool-lacks';
import type { ResearchState, StepNode, ToolCall, WaitedState } from './state';
import { buildUnit, ITEM_VALUE_LIMIT, inputOverrideOf, sendUnits, subNode } from './units';

/**
 * Replay-sensitive. The tool loop: model call, its tool calls, model call, ... Each is a unit of its own under its own
 * effect key, so a crash repeats none that has a result.
 */
const DEFAULT_ROUNDS = 3;
const MAX_ROUNDS = 50;
const MAX_CALLS = 16;
/** The conversation itself stays in the workflow; only an answer beyond this leaves it. */
const MODEL_LIMIT = 4_194_304;

export function isResearch(step: StepPlan): boolean {
  return step.kind === 'llm_task' && step.action === 'research_with_tools';
}

export function beginResearch(m: Machine, node: StepNode, step: LlmStep): undefined {
  node.phase = 'container';
  node.research = { round: 0, messages: [], calls: [] };
  askModel(m, node, step);
}

function roundsOf(step: LlmStep): number {
  const asked = step.params['max_rounds'];
  return typeof asked === 'number' && asked >= 1 ? Math.min(Math.floor(asked), MAX_ROUNDS) : DEFAULT_ROUNDS;
}

function toolsOf(step: LlmStep): string[] {
  const tools = step.params['tools'];
  return Array.isArray(tools) ? tools.filter((tool): tool is string => typeof tool === 'string') : [];
}

function askModel(m: Machine, node: StepNode, step: LlmStep): undefined {
  const research = researchOf(node);
  research.round += 1;
  const sub = subNode(m, node, `model${research.round}`);
  const call = buildUnit(m, sub, { ...step, action: 'research_model_call' });
  const raw: JsonObject = {
    messages: research.messages,
    round: research.round,
    final: research.round > roundsOf(step),
  };
  sendUnits(
    m,
    [{ ...call, edits: { ...inputOverrideOf(m, node), ...node.approved?.edits, ...raw }, valueLimit: MODEL_LIMIT }],
    'llm',
  );
}

function researchOf(node: StepNode): ResearchState {
  if (!node.research) throw new Error(`${node.path} is not a research step`);
  return node.research;
}

/** The answer of a model or tool call. Returns the frame when the whole step closed. */
export function researchOutcome(m: Machine, sub: StepNode, outcome: UnitOutcome): string | undefined {
  const node = nodeOf(m, sub.subOf ?? '');
  const isModel = sub.path.startsWith(`${node.path}/~model`);
  if (isModel) return modelAnswered(m, node, outcome);
  const at = Number(/~tool\d+\.(\d+)/.exec(sub.path)?.[1] ?? '0');
  const call = researchOf(node).calls[at];
  if (call) {
    call.answer = toolAnswer(outcome);
    noteAnswer(researchOf(node), call, outcome);
  }
  return roundDone(m, node);
}

const TOO_LARGE: StepError = {
  code: 'llm_answer_too_large',
  message: 'The model answered more than a conversation can hold.',
  category: 'too_large',
  retryable: false,
};

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function toolAnswer(outcome: UnitOutcome): Json {
  if (outcome.status === 'ok') {
    const value = outcome.output?.value ?? null;
    return outcome.output?.handles
      ? { result: value, note: 'Large parts of the result were left out.' }
      : { result: value };
  }
  return { error: { code: outcome.error?.code ?? 'failed', message: outcome.error?.message ?? '' } };
}

function modelAnswered(m: Machine, node: StepNode, outcome: UnitOutcome): string | undefined {
  if (outcome.status !== 'ok') {
    const error = outcome.error ?? {
      code: 'llm_unavailable',
      message: 'The model gave no answer.',
      category: 'upstream',
      retryable: true,
    };
    // A retry asks the same round again; what was found so far is kept.
    researchOf(node).round -= 1;
    return settleFailed(m, node, error);
  }
  const research = researchOf(node);
  const answer = outcome.output?.value ?? null;
  const message = fieldOf(answer, 'message');
  if (message !== undefined && message !== null) research.messages.push(message);
  const handles = outcome.output?.handles;
  if (fieldOf(answer, 'done') === true) {
    const result = handles?.['result'];
    const out = result ? { value: null, handles: { '': result } } : { value: fieldOf(answer, 'result') ?? null };
    return settleOk(m, node, out, { gaps: toolGaps(m, research) });
  }
  if (handles) return settleFailed(m, node, TOO_LARGE);
  research.calls = readCalls(fieldOf(answer, 'tool_calls'));
  const step = stepOf(m, node.name) as LlmStep;
  const allowed = toolsOf(step);
  research.calls.forEach((call, index) => {
    if (call.error !== undefined) refuse(research, call, { code: 'invalid_tool_call', message: call.error });
    else if (!allowed.includes(call.tool))
      refuse(research, call, {
        code: 'tool_not_allowed',
        message: `The step does not list the tool ${call.tool}.`,
      });
    else queueTool(m, node, index);
  });
  return roundDone(m, node);
}

/** A call that is the model's own mistake: nothing left for it. */
function refuse(research: ResearchState, call: ToolCall, error: { code: string; message: string }): void {
  call.answer = { error };
  noteRefusal(research, call.tool, error);
}

function readCalls(value: Json | undefined): ResearchState['calls'] {
  const list = Array.isArray(value) ? value.slice(0, MAX_CALLS) : [];
  return list.filter(isJsonObject).map((call) => {
    const read = {
      id: jsonText(call['id']),
      tool: jsonText(call['tool']),
      inputs: objectOf(call['inputs']),
      params: objectOf(call['params']),
    };
    return typeof call['error'] === 'string' ? { ...read, error: call['error'] } : read;
  });
}

/** Like any step: not while the run is paused or about to continue as new. */
function queueTool(m: Machine, node: StepNode, index: number): void {
  const sub = subNode(m, node, `tool${researchOf(node).round}.${index}`);
  m.state.ready.push({ frame: node.frame, step: node.name, path: sub.path });
}

/** The model's arguments are data, never templates. */
function sendTool(m: Machine, node: StepNode, index: number, waited?: WaitedState): undefined {
  const step = stepOf(m, node.name) as LlmStep;
  const research = researchOf(node);
  const call = research.calls[index];
  if (!call) return undefined;
  const sub = subNode(m, node, `tool${research.round}.${index}`);
  if (waited) sub.waited = waited;
  const dot = call.tool.indexOf('.');
  const named: JsonObject = dot > 0 ? { connector: call.tool.slice(0, dot), endpoint: call.tool.slice(dot + 1) } : {};
  const { output_schema: _schema, ...base } = step;
  const tool = {
    ...base,
    kind: 'tool' as const,
    action: actionOf(call.tool),
    inputs: {},
    params: {},
  };
  const edits: JsonObject = { ...call.inputs, $settings: { ...call.params, ...named } };
  sendUnits(m, [{ ...buildUnit(m, sub, tool), edits, valueLimit: ITEM_VALUE_LIMIT * 4 }]);
}

function roundDone(m: Machine, node: StepNode): string | undefined {
  const research = researchOf(node);
  if (research.calls.some((call) => call.answer === undefined)) return undefined;
  for (const call of research.calls) {
    research.messages.push({ role: 'tool', tool_call_id: call.id, tool: call.tool, content: call.answer ?? null });
  }
  research.calls = [];
  const step = stepOf(m, node.name) as LlmStep;
  if (research.round > roundsOf(step)) {
    const message = `The model did not finish within ${roundsOf(step)} rounds.`;
    return settleFailed(m, node, { code: 'llm_rounds_exhausted', message, category: 'upstream', retryable: false });
  }
  m.state.ready.push({ frame: node.frame, step: node.name, path: node.path });
  return undefined;
}

/** The next model call of an open step, or a call of it that has to be sent again under its old key. */
export function researchAgain(m: Machine, node: StepNode): undefined {
  const parent = node.subOf === undefined ? node : nodeOf(m, node.subOf);
  const step = stepOf(m, parent.name) as LlmStep;
  if (node.subOf === undefined) return askModel(m, node, step);
  delete m.state.nodes[node.path];
  const tool = /~tool\d+\.(\d+)/.exec(node.path);
  if (tool) return sendTool(m, parent, Number(tool[1]), node.waited);
  researchOf(parent).round -= 1;
  return askModel(m, parent, step);
}
