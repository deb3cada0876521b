import type { Json } from '../base/json';
import type { StepError } from '../errors/app-error';
import { collectReferences, renderValue } from '../expr/template';
import { isNullOrList, projectsUnknownField } from '../expr/walk';
import type { ForEachStep, StepPlan } from '../playbook/types';
import { finishResults, holdResult, settleEach, storeIfLarge } from './each-results';
import { launchFrame, openFrame } from './frames';
import type { LoadedItems } from './inbox';
import { eachOf, frameOf, nodeOf, openCommand, stepOf, type Machine } from './machine';
import type { LoadFirst } from './load';
import { inlineLookup, refTable, resolveRef } from './scope';
import { readsOf } from '../playbook/reads';
import { settleFailed } from './settle';
import { distinct, inPlanOrder, shortfallsOf } from './shortfalls';
import type { EachState, OpenCommand, StepNode } from './state';
import { traitsOf } from './units';
import type { ItemsRequest, RefValue, StoredValue } from './values';

/**
 * Replay-sensitive. A list of steps for each item. Items and results may be larger than the workflow should hold:
 * items come in pieces, results leave in slices.
 */
const BATCH_FROM = 100;
export const BATCH_ITEMS = 20;
const WINDOW_ITEMS = 200;
const WINDOW_BYTES = 262_144;

export function beginEach(m: Machine, node: StepNode, step: ForEachStep, loadFirst: LoadFirst): string | undefined {
  const { scope } = frameOf(m, node.frame);
  if (typeof step.items !== 'string' && loadFirst(m, node, refTable(m, scope, collectReferences(step.items))))
    return undefined;
  const source = itemsOf(m, node, step);
  node.phase = 'container';
  delete node.loaded;
  node.each = {
    total: 0,
    next: 0,
    active: 0,
    failed: 0,
    items: [],
    base: 0,
    windows: [],
    results: {},
    resultBytes: 0,
    outsideBytes: 0,
    slices: [],
    errors: [],
  };
  if (source.kind === 'stored') {
    askForItems(m, node, { list: source, max: WINDOW_ITEMS, maxBytes: WINDOW_BYTES });
    return undefined;
  }
  const items = source.kind === 'value' ? source.value : null;
  // The older rule took an absent list for an empty one: a run with a mistyped name did nothing.
  if (items === null) return m.newer('missing-lists') ? noList(m, node) : settleEach(m, node);
  if (!Array.isArray(items)) return notAList(m, node);
  // The older rule took a field that no record has for a list of nulls.
  if (isProjectedNowhere(m, node, step, items) && m.newer('empty-projections')) return noList(m, node);
  node.each.items = items.map((value) => ({ value }));
  node.each.total = items.length;
  return scheduleItems(m, node);
}

function itemsOf(m: Machine, node: StepNode, step: ForEachStep): RefValue {
  const { scope } = frameOf(m, node.frame);
  if (typeof step.items !== 'string')
    return { kind: 'value', value: renderValue(step.items, inlineLookup(m, scope, node.loaded)) };
  const ref = collectReferences(step.items)[0];
  return ref ? resolveRef(m, scope, ref) : { kind: 'value', value: step.items };
}

function isProjectedNowhere(m: Machine, node: StepNode, step: ForEachStep, items: readonly Json[]): boolean {
  const [ref] = typeof step.items === 'string' ? collectReferences(step.items) : [];
  if (ref === undefined || !items.every(isNullOrList)) return false;
  const at = ref.path.findIndex(({ kind }) => kind === 'each');
  const { scope } = frameOf(m, node.frame);
  const list = at < 0 ? undefined : resolveRef(m, scope, { ...ref, path: ref.path.slice(0, at) });
  return list?.kind === 'value' && projectsUnknownField(list.value, ref.path.slice(at));
}

function noList(m: Machine, node: StepNode): string | undefined {
  const message =
    'for_each found no list in "items": the step that it comes from was skipped, failed or gave no such field. ' +
    'Give a `condition` where there may be none.';
  return settleFailed(m, node, { code: 'missing_data', message, category: 'validation', retryable: false });
}

function notAList(m: Machine, node: StepNode): string | undefined {
  const message = `for_each needs a list in "items"; ${node.path} got something else.`;
  return settleFailed(m, node, { code: 'items_not_a_list', message, category: 'validation', retryable: false });
}

function askForItems(m: Machine, node: StepNode, items: ItemsRequest): void {
  Object.assign(eachOf(node), { loading: true, asked: items });
  const id = openCommand(m, { kind: 'load', path: node.path, purpose: 'items', refs: [] });
  m.commands.push({ kind: 'load', id, summary: `items of ${node.path}`, refs: {}, items });
}

/** Asks again for items that could not be read. */
export function itemsAgain(m: Machine, node: StepNode): undefined {
  const { asked } = eachOf(node);
  if (asked) askForItems(m, node, asked);
}

export function itemsLoaded(m: Machine, node: StepNode, loaded: LoadedItems | undefined): string | undefined {
  const each = eachOf(node);
  delete each.loading;
  delete each.asked;
  if (!loaded) return notAList(m, node);
  if (loaded.missing === true) return noList(m, node);
  each.base = each.next;
  each.items = loaded.list;
  if (loaded.total !== undefined) each.total = loaded.total;
  if (loaded.windows) each.windows = [...loaded.windows];
  return scheduleItems(m, node);
}

/** Starts items while there is room; closes the step when all are done. */
export function scheduleItems(m: Machine, node: StepNode): string | undefined {
  const each = eachOf(node);
  const step = stepOf(m, node.name) as ForEachStep;
  const room = roomFor(m, step, each.total);
  while (!m.state.closing && !each.broken && each.active < room && each.next < each.total) {
    const item = each.items[each.next - each.base];
    if (item === undefined) {
      nextWindow(m, node, each);
      break;
    }
    openItem(m, node, step, item);
  }
  if (m.state.closing || each.active > 0 || each.loading) return undefined;
  if (each.broken) return each.storing ? undefined : settleFailed(m, node, each.broken, { final: true });
  return each.next >= each.total ? finishResults(m, node) : undefined;
}

function nextWindow(m: Machine, node: StepNode, each: EachState): void {
  if (each.loading) return;
  const window = each.windows.shift();
  if (window) askForItems(m, node, { window });
  else each.broken = LOST_ITEMS;
}

const LOST_ITEMS: StepError = {
  code: 'items_lost',
  message: 'The list of items became shorter than it was.',
  category: 'internal',
  retryable: false,
};

/** Items that are held open at once: more than `max_parallel` only where they travel together in segments. */
function roomFor(m: Machine, step: ForEachStep, total: number): number {
  return batches(m, step, total) ? step.max_parallel * BATCH_ITEMS : step.max_parallel;
}

/** Short steps of many items share an activity: a round trip for each would cost more than the work. */
export function batches(m: Machine, step: ForEachStep, total: number): boolean {
  const short = (inner: StepPlan): boolean =>
    inner.kind === 'tool' &&
    inner.condition === undefined &&
    (traitsOf(m, inner.action).short || traitsOf(m, inner.action).pure);
  return total > BATCH_FROM && step.steps.every(short);
}

function openItem(m: Machine, node: StepNode, step: ForEachStep, item: StoredValue): void {
  const each = eachOf(node);
  const index = each.next;
  each.next += 1;
  each.active += 1;
  const id = `${node.path}[${index}]`;
  const { scope: parent } = frameOf(m, node.frame);
  const lacks = shortfallsOf(m, parent, readsOf(step));
  m.state.scopes[id] = {
    parent,
    vars: { [step.as]: item, [`${step.as}_index`]: { value: index } },
    entries: {},
    ...(lacks.length === 0 ? {} : { lacks }),
  };
  openFrame(m, { id, owner: node.path, prefix: `${id}/`, scope: id, steps: step.steps });
  launchFrame(m, id);
}

/** All steps of one item are closed. */
export function itemDone(m: Machine, frameId: string): string | undefined {
  const frame = frameOf(m, frameId);
  const node = nodeOf(m, frame.owner);
  const each = eachOf(node);
  const index = Number(frameId.slice(frameId.lastIndexOf('[') + 1, -1));
  const entries = m.state.scopes[frameId]?.entries ?? {};
  const last = frame.steps.at(-1);
  const key = last === undefined ? '' : stepOf(m, last).key;
  const entry = Object.hasOwn(entries, key) ? entries[key] : undefined;
  if (frame.failed > 0) {
    each.failed += 1;
    noteItemErrors(m, each, index, frameId);
  }
  each.active -= 1;
  if (entry?.lacks) each.lacks = distinct(inPlanOrder(m, each.lacks ?? [], entry.lacks));
  delete m.state.scopes[frameId];
  delete m.state.frames[frameId];
  holdResult(each, index, entry?.status === 'ok' ? entry.out : { value: null });
  if (!m.state.closing && !each.broken) storeIfLarge(m, node);
  return scheduleItems(m, node);
}

const MAX_ERRORS = 1000;

function noteItemErrors(m: Machine, each: EachState, index: number, frameId: string): void {
  const entries = m.state.scopes[frameId]?.entries ?? {};
  for (const name of frameOf(m, frameId).steps) {
    const { key } = stepOf(m, name);
    const entry = Object.hasOwn(entries, key) ? entries[key] : undefined;
    if (entry?.status !== 'failed' || each.errors.length >= MAX_ERRORS) continue;
    each.errors.push({
      index,
      step: name,
      code: entry.error?.code ?? '',
      message: entry.error?.message ?? '',
    } satisfies Json);
  }
}

/** The platform cannot load or store for this list: it fails once nothing of it is in flight. */
export function failList(m: Machine, node: StepNode, open: OpenCommand, error: StepError): string | undefined {
  const each = eachOf(node);
  each.broken ??= error;
  if (open.kind === 'load') delete each.loading;
  if (open.kind === 'store') delete each.storing;
  return scheduleItems(m, node);
}
