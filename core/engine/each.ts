import type { Json } from '../base/json';
import { jsonSize } from '../base/json-size';
import { collectReferences } from '../expr/template';
import type { ForEachStep, StepPlan } from '../playbook/types';
import { openFrame } from './frames';
import { frameOf, nodeOf, openCommand, stepOf, type Machine } from './machine';
import { resolveRef } from './scope';
import { settleFailed, settleOk } from './settle';
import type { EachState, ResultPart, StepNode } from './state';
import { traitsOf } from './units';
import type { BlobPart, RefValue, StoredValue } from './values';

/**
 * Replay-sensitive. A list of steps for each item. Items and results may be larger than the workflow should hold:
 * items come in windows, results leave in slices, both in item order.
 */
const BATCH_FROM = 100;
export const BATCH_ITEMS = 20;
const WINDOW_ITEMS = 200;
const WINDOW_BYTES = 262_144;
const RESULT_BYTES = 262_144;
/** What a handle costs in the state. */
const HANDLE_BYTES = 300;

export function beginEach(m: Machine, node: StepNode, step: ForEachStep): string | undefined {
  node.phase = 'container';
  node.each = {
    total: 0, next: 0, active: 0, failed: 0, items: [], base: 0,
    results: [], resultBytes: 0, early: {}, flushed: 0, slices: [], sliced: 0, errors: [],
  };
  const source = itemsOf(m, node, step);
  if (source.kind === 'stored') {
    node.each.source = source;
    askForItems(m, node, 0);
    return undefined;
  }
  const items = source.kind === 'value' ? source.value : null;
  if (items === null) return settleEach(m, node);
  if (!Array.isArray(items)) return notAList(m, node);
  node.each.items = items;
  node.each.total = items.length;
  return pumpEach(m, node);
}

function itemsOf(m: Machine, node: StepNode, step: ForEachStep): RefValue {
  if (typeof step.items !== 'string') return { kind: 'value', value: step.items };
  const ref = collectReferences(step.items)[0];
  return ref ? resolveRef(m, frameOf(m, node.frame).scope, ref) : { kind: 'value', value: step.items };
}

function notAList(m: Machine, node: StepNode): string | undefined {
  const message = `for_each needs a list in "items"; ${node.path} got something else.`;
  return settleFailed(m, node, { code: 'items_not_a_list', message, category: 'validation', retryable: false });
}

function eachOf(node: StepNode): EachState {
  if (!node.each) throw new Error(`${node.path} is not a for_each`);
  return node.each;
}

function askForItems(m: Machine, node: StepNode, from: number): void {
  const each = eachOf(node);
  if (each.loading || !each.source) return;
  each.loading = true;
  const id = openCommand(m, { kind: 'load', path: node.path, purpose: 'items' });
  const slice = { from, max: WINDOW_ITEMS, maxBytes: WINDOW_BYTES };
  m.commands.push({ kind: 'load', id, summary: `items of ${node.path} from ${from}`, refs: { items: each.source }, slice });
}

export function itemsLoaded(m: Machine, node: StepNode, items: Json | undefined, total: number): string | undefined {
  const each = eachOf(node);
  each.loading = false;
  if (!Array.isArray(items)) return notAList(m, node);
  each.base = each.next;
  each.items = items;
  each.total = total;
  return pumpEach(m, node);
}

/** Starts items while there is room; closes the step when all are done. */
export function pumpEach(m: Machine, node: StepNode): string | undefined {
  const each = eachOf(node);
  const step = stepOf(m, node.name) as ForEachStep;
  while (!m.state.closing && each.active < roomFor(m, step, each.total) && each.next < each.total) {
    const at = each.next - each.base;
    if (at >= each.items.length) {
      askForItems(m, node, each.next);
      break;
    }
    openItem(m, node, step, each.items[at] ?? null);
  }
  return each.next >= each.total && each.active === 0 ? finishEach(m, node) : undefined;
}

/** Items that are held open at once: more than `max_parallel` only where they travel together in segments. */
function roomFor(m: Machine, step: ForEachStep, total: number): number {
  return batches(m, step, total) ? step.max_parallel * BATCH_ITEMS : step.max_parallel;
}

/** Short steps of many items share an activity: a round trip for each would cost more than the work. */
export function batches(m: Machine, step: ForEachStep, total: number): boolean {
  const short = (inner: StepPlan): boolean =>
    inner.kind === 'tool' && inner.condition === undefined && (traitsOf(m, inner.action).short || traitsOf(m, inner.action).pure);
  return total > BATCH_FROM && step.steps.every(short);
}

function openItem(m: Machine, node: StepNode, step: ForEachStep, item: Json): void {
  const each = eachOf(node);
  const index = each.next;
  each.next += 1;
  each.active += 1;
  const id = `${node.path}[${index}]`;
  m.state.scopes[id] = {
    parent: frameOf(m, node.frame).scope,
    vars: { [step.as]: item, [`${step.as}_index`]: index },
    entries: {},
  };
  const frame = openFrame(m, { id, owner: node.path, prefix: `${id}/`, scope: id, steps: step.steps });
  if (frame.steps.length > 0) m.state.ready.push(...firstSteps(m, id));
}

function firstSteps(m: Machine, id: string): { frame: string; step: string }[] {
  const frame = frameOf(m, id);
  const names = frame.mode === 'dag' ? frame.steps.filter((name) => (stepOf(m, name).depends_on ?? []).length === 0) : frame.steps.slice(0, 1);
  for (const name of names) frame.begun[name] = true;
  return names.map((step) => ({ frame: id, step }));
}

/** All steps of one item are closed. */
export function itemDone(m: Machine, frameId: string): string | undefined {
  const frame = frameOf(m, frameId);
  const node = nodeOf(m, frame.owner);
  const each = eachOf(node);
  const index = Number(frameId.slice(frameId.lastIndexOf('[') + 1, -1));
  const last = frame.steps.at(-1);
  const entries = m.state.scopes[frameId]?.entries ?? {};
  const entry = last === undefined ? undefined : entries[stepOf(m, last).key];
  if (frame.failed > 0) {
    each.failed += 1;
    noteItemErrors(m, each, index, frameId);
  }
  const out: StoredValue = entry?.status === 'ok' ? entry.out : { value: null };
  each.early[String(index)] = out.handles ? { kind: 'stored', stored: out } : { kind: 'value', value: out.value };
  each.active -= 1;
  delete m.state.scopes[frameId];
  delete m.state.frames[frameId];
  flushEarly(each);
  if (each.resultBytes > RESULT_BYTES) storeResults(m, node);
  return pumpEach(m, node);
}

const MAX_ERRORS = 1000;

function noteItemErrors(m: Machine, each: EachState, index: number, frameId: string): void {
  const frame = frameOf(m, frameId);
  for (const name of frame.steps) {
    const entry = m.state.scopes[frameId]?.entries[stepOf(m, name).key];
    if (entry?.status !== 'failed' || each.errors.length >= MAX_ERRORS) continue;
    each.errors.push({ index, step: name, code: entry.error?.code ?? '', message: entry.error?.message ?? '' });
  }
}

function flushEarly(each: EachState): void {
  for (;;) {
    const part = each.early[String(each.flushed)];
    if (!part) return;
    delete each.early[String(each.flushed)];
    each.flushed += 1;
    each.results.push(part);
    each.resultBytes += part.kind === 'stored' ? HANDLE_BYTES : jsonSize(part.value, RESULT_BYTES + 1);
  }
}

function storeResults(m: Machine, node: StepNode): void {
  const each = eachOf(node);
  if (each.storing || each.results.length === 0) return;
  each.storing = true;
  const id = openCommand(m, { kind: 'store', path: node.path, count: each.results.length });
  m.commands.push({ kind: 'store', id, summary: `results of ${node.path}`, parts: each.results.slice() });
}

export function resultsStored(m: Machine, node: StepNode, stored: StoredValue, count: number): string | undefined {
  const each = eachOf(node);
  each.storing = false;
  each.slices.push(...(stored.handles?.['']?.parts ?? []));
  each.sliced += count;
  const rest = each.results.slice(count);
  each.results = rest;
  each.resultBytes = rest.reduce((sum, part) => sum + (part.kind === 'stored' ? HANDLE_BYTES : jsonSize(part.value, RESULT_BYTES + 1)), 0);
  return pumpEach(m, node);
}

function finishEach(m: Machine, node: StepNode): string | undefined {
  const each = eachOf(node);
  if (each.storing) return undefined;
  const outside = each.slices.length > 0 || each.results.some((part) => part.kind === 'stored');
  if (outside && each.results.length > 0) {
    storeResults(m, node);
    return undefined;
  }
  return settleEach(m, node);
}

function settleEach(m: Machine, node: StepNode): string | undefined {
  const each = eachOf(node);
  const counts = { count: each.total, failed_count: each.failed, errors: each.errors };
  if (each.slices.length === 0) {
    const results = each.results.map((part: ResultPart) => (part.kind === 'value' ? part.value : null));
    return settleOk(m, node, { value: { results, ...counts } });
  }
  const size = each.slices.reduce((sum: number, part: BlobPart) => sum + part.size, 0);
  return settleOk(m, node, {
    value: { results: null, ...counts },
    handles: { results: { parts: each.slices, size, count: each.sliced } },
  });
}
