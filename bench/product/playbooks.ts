import type { Json, JsonObject } from '../../core/base/json';
import { BRANCHES, MANY_STEPS, STEPS } from '../documents';

/** Playbooks of the workloads, as JSON; the API stores and validates them. */
export type StepKind = 'pure' | 'activity' | 'segment';

const ACTIONS = { activity: 'bench_step', segment: 'bench_step_short' } as const;
const DOCUMENT = [{ name: 'document', type: 'object', required: true }];

/** All playbooks of the benchmark. */
export function allPlaybooks(): JsonObject[] {
  const kinds: StepKind[] = ['pure', 'activity', 'segment'];
  return [
    ...kinds.map((kind) => w1(kind, STEPS)),
    ...kinds.map((kind) => w1(kind, MANY_STEPS)),
    w2(),
    ...kinds.map(w3),
    ...kinds.map(w4),
    w5(),
  ];
}

/** Step n of a chain: takes the document of the step before and adds a field. */
function chainStep(kind: StepKind, no: number, from: Json): JsonObject {
  const step = { name: `s${no}`, step_type: 'tool', on_error: 'stop' };
  if (kind !== 'pure')
    return { ...step, action: ACTIONS[kind], inputs: { document: from, field: `f${no}`, value: no } };
  const operations = [{ type: 'compute', as: `f${no}`, expression: String(no) }];
  return { ...step, action: 'transform_data', inputs: { data: from }, operations };
}

function chain(kind: StepKind, first: number, last: number, document = '{document}'): JsonObject[] {
  return Array.from({ length: last - first + 1 }, (_each, at) => {
    const no = first + at;
    if (no === 1) return chainStep(kind, 1, kind === 'pure' ? [document] : document);
    return chainStep(kind, no, resultOf(kind, no - 1));
  });
}

function resultOf(kind: StepKind, no: number): string {
  return kind === 'pure' ? `{s${no}.data}` : `{s${no}.document}`;
}

function w1(kind: StepKind, steps: number): JsonObject {
  const id = w1Name(kind, steps);
  return { id, name: id, inputs: DOCUMENT, steps: chain(kind, 1, steps) };
}

export function w1Name(kind: StepKind, steps: number): string {
  return `w1-${kind}-${steps}`;
}

/** Two pure steps, a person, two pure steps. */
export function w2(): JsonObject {
  const gate = { name: 'gate', step_type: 'approval', prompt: 'Go on?', on_reject: 'stop', on_timeout: 'stop' };
  const steps = [...chain('pure', 1, 2), gate, ...chain('pure', 3, 4)];
  return { id: 'w2', name: 'W2', inputs: DOCUMENT, steps };
}

/** A hundred branches side by side and a step that adds up their results. */
function w3(kind: StepKind): JsonObject {
  const numbers = Array.from({ length: BRANCHES }, (_each, at) => at + 1);
  const branches = numbers.map((no) => branch(kind, no));
  const out = (no: number): string => (kind === 'pure' ? `{b${no}.data[0].value}` : `{b${no}.document.value}`);
  const join = {
    name: 'join',
    step_type: 'tool',
    action: 'transform_data',
    on_error: 'stop',
    inputs: { data: numbers.map((no) => ({ value: out(no) })) },
    operations: [{ type: 'aggregate', op: 'sum', field: 'value', as: 'total' }],
  };
  const parallel = { name: 'all', action: 'parallel', parallel_steps: branches };
  return { id: `w3-${kind}`, name: `W3 ${kind}`, steps: [parallel, join] };
}

function branch(kind: StepKind, no: number): JsonObject {
  const step = { name: `b${no}`, step_type: 'tool', on_error: 'stop' };
  if (kind !== 'pure') {
    return { ...step, action: ACTIONS[kind], inputs: { document: { no }, field: 'value', value: no } };
  }
  const operations: Json = [{ type: 'compute', as: 'value', expression: '{no}' }];
  return { ...step, action: 'transform_data', inputs: { data: [{ no }] }, operations };
}

/** Ten steps carry a large document; the eleventh keeps the values that show whether it arrived whole. */
function w4(kind: StepKind): JsonObject {
  return { id: `w4-${kind}`, name: `W4 ${kind}`, inputs: DOCUMENT, steps: [...chain(kind, 1, STEPS), check(kind)] };
}

function check(kind: StepKind): JsonObject {
  const last = resultOf(kind, STEPS);
  const fields = ['id', ...Array.from({ length: STEPS }, (_each, at) => `f${at + 1}`), 'count'];
  return {
    name: 'check',
    step_type: 'tool',
    action: 'transform_data',
    on_error: 'stop',
    inputs: { data: kind === 'pure' ? last : [last] },
    operations: [
      { type: 'compute', as: 'count', expression: 'length({records})' },
      { type: 'select', fields },
    ],
  };
}

/** The same with a document that a step makes. */
function w5(): JsonObject {
  const inputs = ['no', 'records'].map((name) => ({ name, type: 'number', required: true }));
  const make = {
    name: 'make',
    step_type: 'tool',
    action: 'bench_document',
    on_error: 'stop',
    inputs: { no: '{no}', records: '{records}' },
  };
  const steps = [make, ...chain('pure', 1, STEPS, '{make.document}'), check('pure')];
  return { id: 'w5-pure', name: 'W5 pure', inputs, steps };
}
