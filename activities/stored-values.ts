import type { Json, JsonObject } from '../core/base/json';
import { jsonSize } from '../core/base/json-size';
import type { StoredValue } from '../core/engine/values';
import type { BlobStore } from '../infra/blob/blob-store';
import type { LifecycleActivities, LoadInput, LoadResult, PackInput, StoreInput } from '../workflows/types';
import { Values } from './runner/values';
import type { RunVerifier } from './verify';

/** A reference that the engine asks for must fit into the workflow. */
const LOAD_LIMIT = 1_048_576;
/** Outputs of a closed run above this leave its row. */
const KEEP_LIMIT = 65_536;

type StoredValueActivities = Pick<LifecycleActivities, 'load_values' | 'store_results' | 'store_outputs' | 'pack_outputs'>;

export function storedValueActivities(deps: { blobs: BlobStore; verifier: RunVerifier }): StoredValueActivities {
  const open = async (ref: LoadInput | StoreInput | PackInput): Promise<Values> => {
    await deps.verifier.verify(ref);
    return new Values(deps.blobs, ref.ownerId);
  };
  return {
    load_values: async (input) => loadValues(await open(input), input),
    store_results: async (input) => storeResults(await open(input), input),
    store_outputs: async (input) => storeOutputs(await open(input), input),
    pack_outputs: async (input) => packOutputs(await open(input), input),
  };
}

async function loadValues(values: Values, input: LoadInput): Promise<LoadResult> {
  const found: { [ref: string]: Json } = {};
  let total = 0;
  for (const [text, ref] of Object.entries(input.refs)) {
    const value = (await values.resolve(ref)) ?? null;
    if (input.slice && Array.isArray(value)) {
      total = value.length;
      found[text] = slice(value, input.slice);
    } else found[text] = jsonSize(value, LOAD_LIMIT + 1) > LOAD_LIMIT ? shorten(value) : value;
  }
  return { values: found, total };
}

function slice(list: Json[], { from, max, maxBytes }: { from: number; max: number; maxBytes: number }): Json[] {
  const taken: Json[] = [];
  let bytes = 0;
  for (const item of list.slice(from, from + max)) {
    bytes += jsonSize(item, maxBytes + 1);
    if (taken.length > 0 && bytes > maxBytes) break;
    taken.push(item);
  }
  return taken;
}

/** A condition or preview on a value this large sees the beginning of a list. */
function shorten(value: Json): Json {
  if (!Array.isArray(value)) return null;
  return slice(value, { from: 0, max: value.length, maxBytes: LOAD_LIMIT });
}

async function storeResults(values: Values, input: StoreInput): Promise<StoredValue> {
  const list: Json[] = [];
  for (const part of input.parts) list.push(part.kind === 'value' ? part.value : await values.load(part.stored));
  const handle = await values.put(list);
  return { value: null, handles: { '': { ...handle, parts: handle.parts.map((part) => ({ ...part, kind: 'slice' as const })) } } };
}

async function storeOutputs(values: Values, input: PackInput): Promise<{ [key: string]: StoredValue }> {
  const kept: { [key: string]: StoredValue } = {};
  for (const [key, stored] of Object.entries(input.outputs)) {
    kept[key] = stored.handles ? stored : await values.offload(stored.value, KEEP_LIMIT);
  }
  return kept;
}

async function packOutputs(values: Values, input: PackInput): Promise<StoredValue> {
  const all: JsonObject = {};
  for (const [key, stored] of Object.entries(input.outputs)) all[key] = await values.load(stored);
  return { value: null, handles: { '': await values.put(all) } };
}
