import type { Json, JsonObject } from '../core/base/json';
import { jsonSize } from '../core/base/json-size';
import { innermostParts, unpackShared, type SharedJson } from '../core/base/shared-json';
import type { Loaded, LoadedItems } from '../core/engine/inbox';
import { previewOf } from '../core/engine/preview';
import type { Preview } from '../core/engine/state';
import type { BlobPart, ItemsRequest, RefValue, StoredValue } from '../core/engine/values';
import { evaluateCondition, parseCondition } from '../core/expr/condition';
import { isNullOrList, projectsUnknownField } from '../core/expr/walk';
import type { BlobStore } from '../infra/blob/blob-store';
import type { LifecycleActivities, LoadInput, PackInput, StoreInput, StoreOutputsInput } from '../workflows/types';
import { withEngineErrors, withHeartbeat } from './platform';
import { SharedParts } from './runner/shared-parts';
import { Values } from './runner/values';
import type { RunVerifier } from './verify';

/** A reference that the engine asks for must fit into the workflow. */
const LOAD_LIMIT = 1_048_576;
/** An item of a map above this stays outside. */
const ITEM_LIMIT = 65_536;
/** Outputs of a closed run above this leave its row. */
const KEEP_LIMIT = 65_536;

type StoredValueActivities = Pick<
  LifecycleActivities,
  'load_values' | 'store_results' | 'store_outputs' | 'pack_outputs'
>;

export interface StoredValueDeps {
  blobs: BlobStore;
  verifier: RunVerifier;
  heartbeatMs: number;
}

export function storedValueActivities(deps: StoredValueDeps): StoredValueActivities {
  const serve =
    <I extends LoadInput | StoreInput | StoreOutputsInput, O>(work: (values: Values, input: I) => Promise<O>) =>
    (input: I): Promise<O> =>
      withHeartbeat(deps.heartbeatMs, () =>
        withEngineErrors(async () => {
          await deps.verifier.verify(input);
          return work(new Values(deps.blobs, input.ownerId), input);
        }),
      );
  return {
    load_values: serve<LoadInput, Loaded>(loadValues),
    store_results: serve<StoreInput, StoredValue>(storeResults),
    store_outputs: serve<StoreOutputsInput, { [key: string]: StoredValue }>(storeOutputs),
    pack_outputs: serve<PackInput, StoredValue>(packOutputs),
  };
}

export async function loadValues(values: Values, input: LoadInput): Promise<Loaded> {
  if (input.condition !== undefined) return { values: {}, verdict: await judge(values, input.condition, input.refs) };
  const found: { [ref: string]: Json } = {};
  for (const [text, ref] of Object.entries(input.refs)) {
    const value = (await values.resolve(ref)) ?? null;
    found[text] = jsonSize(value, LOAD_LIMIT + 1) > LOAD_LIMIT ? shorten(value) : value;
  }
  const loaded: Loaded = { values: found };
  if (input.preview) loaded.preview = await preview(values, input.preview);
  const items = input.items && (await loadItems(values, input.items));
  return items ? { ...loaded, items } : loaded;
}

async function judge(values: Values, condition: string, refs: LoadInput['refs']): Promise<boolean> {
  const parsed = parseCondition(condition);
  if (!parsed.ok) return false;
  const table = new Map<string, Json | undefined>();
  for (const [text, ref] of Object.entries(refs)) table.set(text, await values.resolve(ref));
  return evaluateCondition(parsed.value, (ref) => table.get(ref.text));
}

async function preview(values: Values, { value, limit }: NonNullable<LoadInput['preview']>): Promise<Preview> {
  const { rows, ...facts } = previewOf(await values.resolve(value), limit);
  return { rows: jsonSize(rows, LOAD_LIMIT + 1) > LOAD_LIMIT ? shorten(rows) : rows, ...facts };
}

/** Items come in pieces; the answer to the first request holds the addresses of the others. Nothing = no list. */
async function loadItems(values: Values, request: ItemsRequest): Promise<LoadedItems | undefined> {
  if ('window' in request) return { list: (await values.part(request.window)) as unknown as StoredValue[] };
  const all = (await values.resolve(request.list)) ?? null;
  if (all === null) return { list: [], missing: true };
  if (!Array.isArray(all)) return undefined;
  if (await isProjectedNowhere(values, request.list, all)) return { list: [], missing: true };
  const [first = [], ...others] = pieces(all, request);
  const windows: BlobPart[] = [];
  for (const piece of others) {
    const { parts } = await values.put((await outside(values, piece)) as unknown as Json);
    windows.push(...parts);
  }
  return { list: await outside(values, first), total: all.length, windows };
}

/** Applies the rule that the engine has for lists that it holds itself. */
async function isProjectedNowhere(values: Values, list: RefValue, all: readonly Json[]): Promise<boolean> {
  if (list.kind !== 'stored' || !all.every(isNullOrList)) return false;
  const at = list.path.findIndex(({ kind }) => kind === 'each');
  return (
    at >= 0 &&
    projectsUnknownField(await values.resolve({ ...list, path: list.path.slice(0, at) }), list.path.slice(at))
  );
}

async function outside(values: Values, items: Json[]): Promise<StoredValue[]> {
  const stored: StoredValue[] = [];
  for (const item of items) stored.push(await values.offload(item, ITEM_LIMIT));
  return stored;
}

function pieces(list: Json[], { max, maxBytes }: { max: number; maxBytes: number }): Json[][] {
  const cut: Json[][] = [];
  let piece: Json[] = [];
  let bytes = 0;
  for (const item of list) {
    // A large item is replaced by its handle.
    const size = Math.min(jsonSize(item, ITEM_LIMIT), ITEM_LIMIT);
    if (piece.length > 0 && (piece.length >= max || bytes + size > maxBytes)) {
      cut.push(piece);
      piece = [];
      bytes = 0;
    }
    piece.push(item);
    bytes += size;
  }
  if (piece.length > 0) cut.push(piece);
  return cut;
}

/** Beginning of a list for texts that are built from it, so that the text fits. */
function shorten(value: Json): Json {
  if (!Array.isArray(value)) return null;
  const taken: Json[] = [];
  let bytes = 2;
  for (const item of value) {
    bytes += jsonSize(item, LOAD_LIMIT) + 1;
    if (bytes > LOAD_LIMIT) break;
    taken.push(item);
  }
  return taken;
}

export async function storeResults(values: Values, input: StoreInput): Promise<StoredValue> {
  const list: Json[] = [];
  for (const part of input.parts) list.push(part.kind === 'value' ? part.value : await values.load(part.stored));
  const handle = await values.put(list);
  return {
    value: null,
    handles: { '': { ...handle, parts: handle.parts.map((part) => ({ ...part, kind: 'slice' as const })) } },
  };
}

async function storeOutputs(values: Values, input: StoreOutputsInput): Promise<{ [key: string]: StoredValue }> {
  if ('packed' in input) return storePacked(values, input.packed);
  const kept: { [key: string]: StoredValue } = {};
  for (const [key, stored] of Object.entries(input.outputs)) {
    kept[key] = stored.handles ? stored : await values.offload(stored.value, KEEP_LIMIT);
  }
  return kept;
}

/** Stores packed outputs; a part that several hold is stored once. */
export async function storePacked(values: Values, packed: SharedJson): Promise<{ [key: string]: StoredValue }> {
  const innermost = new Set(innermostParts(packed));
  const { root, parts } = unpackShared(packed);
  const held = new Set(parts.filter((_part, at) => innermost.has(at)));
  const shared = new SharedParts(values);
  const kept: [string, StoredValue][] = [];
  for (const [key, stored] of Object.entries(root as unknown as { [key: string]: StoredValue })) {
    const isOutside = stored.handles !== undefined;
    kept.push([
      key,
      isOutside ? stored : await values.offload(stored.value, KEEP_LIMIT, (part) => shared.put(part, held)),
    ]);
  }
  return Object.fromEntries(kept);
}

async function packOutputs(values: Values, input: PackInput): Promise<StoredValue> {
  const all: JsonObject = {};
  for (const [key, stored] of Object.entries(input.outputs)) all[key] = await values.load(stored);
  return { value: null, handles: { '': await values.put(all) } };
}
