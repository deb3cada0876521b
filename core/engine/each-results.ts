import { knownSize } from '../base/known-size';
import type { Gap } from './gaps';
import { eachOf, openCommand, type Machine } from './machine';
import { settleOk } from './settle';
import type { EachState, ResultPart, StepNode } from './state';
import { blobsOf, type BlobPart, type StoredValue } from './values';

/**
 * Replay-sensitive. Results of the items of a map. Items close in any order; what is held is stored in runs of
 * neighbours, and the runs are put in item order at the end.
 */
const HELD_BYTES = 262_144;
/** One slice must be put together in the memory of one activity. */
const SLICE_BYTES = 16_777_216;
/** Bytes of a handle in the state. */
const HANDLE_BYTES = 300;

export function holdResult(each: EachState, index: number, out: StoredValue): void {
  const part: ResultPart = out.handles ? { kind: 'stored', stored: out } : { kind: 'value', value: out.value };
  each.results[String(index)] = part;
  each.resultBytes += heldBytes(part);
  each.outsideBytes += outsideBytes(part);
}

function heldBytes(part: ResultPart): number {
  if (part.kind === 'value') return knownSize(part.value);
  return HANDLE_BYTES + knownSize(part.stored.value);
}

function outsideBytes(part: ResultPart): number {
  if (part.kind === 'value') return 0;
  return Object.values(part.stored.handles ?? {}).reduce((sum, handle) => sum + handle.size, 0);
}

export function storeIfLarge(m: Machine, node: StepNode): void {
  const each = eachOf(node);
  if (each.resultBytes > HELD_BYTES || each.outsideBytes > SLICE_BYTES) storeRun(m, node);
}

interface Run {
  from: number;
  parts: ResultPart[];
  bytes: number;
}

/** Stores the largest run of neighbours that is held. */
function storeRun(m: Machine, node: StepNode): void {
  const each = eachOf(node);
  if (each.storing) return;
  const best = largestRun(each);
  if (!best) return;
  each.storing = true;
  const { from, parts } = best;
  const id = openCommand(m, { kind: 'store', path: node.path, from, count: parts.length });
  m.commands.push({ kind: 'store', id, summary: `results of ${node.path} from ${from}`, parts });
}

function largestRun(each: EachState): Run | undefined {
  let best: Run | undefined;
  let run: Run | undefined;
  // Keys that are indexes come in ascending order.
  for (const [key, part] of Object.entries(each.results)) {
    const index = Number(key);
    const bytes = heldBytes(part) + outsideBytes(part);
    const follows = run !== undefined && index === run.from + run.parts.length && run.bytes + bytes <= SLICE_BYTES;
    if (run && follows) {
      run.parts.push(part);
      run.bytes += bytes;
    } else run = { from: index, parts: [part], bytes };
    if (!best || run.bytes > best.bytes) best = run;
  }
  return best;
}

export function resultsStored(
  m: Machine,
  node: StepNode,
  stored: StoredValue,
  { from, count }: { from: number; count: number },
): void {
  const each = eachOf(node);
  delete each.storing;
  const handle = stored.handles?.[''];
  each.slices.push({ from, parts: handle === undefined ? [] : blobsOf(handle) });
  for (let index = from; index < from + count; index++) {
    const part = each.results[String(index)];
    if (!part) continue;
    each.resultBytes -= heldBytes(part);
    each.outsideBytes -= outsideBytes(part);
    delete each.results[String(index)];
  }
  if (!m.state.closing && !each.broken) storeIfLarge(m, node);
}

/** All items are closed: what is held goes out too, if anything lies outside already. */
export function finishResults(m: Machine, node: StepNode): string | undefined {
  const each = eachOf(node);
  if (each.storing) return undefined;
  const parts = Object.values(each.results);
  const outside = each.slices.length > 0 || parts.some((part) => part.kind === 'stored');
  if (outside && parts.length > 0) {
    storeRun(m, node);
    return undefined;
  }
  return settleEach(m, node);
}

export function settleEach(m: Machine, node: StepNode): string {
  const each = eachOf(node);
  const counts = { count: each.total, failed_count: each.failed, errors: each.errors };
  if (each.slices.length === 0) {
    const results = Object.values(each.results).map((part) => (part.kind === 'value' ? part.value : null));
    return settleOk(m, node, { value: { results, ...counts } }, { gaps: failedItems(each) });
  }
  const slices = each.slices.toSorted((a, b) => a.from - b.from);
  const parts: BlobPart[] = slices.flatMap((slice) => slice.parts);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const results = { parts, size, count: each.total };
  return settleOk(m, node, { value: { results: null, ...counts }, handles: { results } }, { gaps: failedItems(each) });
}

function failedItems({ failed, total }: EachState): Gap[] {
  if (failed === 0) return [];
  return [{ code: 'items_failed', message: `${failed} of ${total} items failed`, certain: true }];
}
