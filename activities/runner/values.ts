import { isJsonObject, type Json, type JsonObject } from '../../core/base/json';
import { exceedsJsonSize, jsonSize } from '../../core/base/json-size';
import { walkPath } from '../../core/expr/reference';
import type { BlobPart, Handle, PartsHandle, RefValue, StoredValue, TextHandle } from '../../core/engine/values';
import { AppError } from '../../core/errors/app-error';
import type { BlobStore } from '../../infra/blob/blob-store';

/** A field of a large result that is bigger than this leaves the workflow; smaller ones stay at hand. */
const FIELD_LIMIT = 65_536;
/** Number of fields above which the whole result is moved. */
const MOST_MOVED = 20;
const NULL_SIZE = 4;

/** Stores one part of a value. */
type Put = (part: Json) => Promise<Handle>;

/** Loads and stores values whose large parts lie in the blob store, always within one owner. */
export class Values {
  private readonly cache = new Map<string, Promise<Json>>();

  /** `known`: values that are still in memory. */
  constructor(
    private readonly blobs: BlobStore,
    readonly ownerId: string,
    private readonly known?: (handle: Handle) => Json | undefined,
  ) {}

  async resolve(ref: RefValue): Promise<Json | undefined> {
    if (ref.kind === 'undefined') return undefined;
    if (ref.kind === 'value') return ref.value;
    return walkPath(
      await this.load(ref.stored, ref.path[0]?.kind === 'field' ? ref.path[0].name : undefined),
      ref.path,
    );
  }

  /** The whole value; with `only`, other large fields may stay null. */
  async load(stored: StoredValue, only?: string): Promise<Json> {
    const handles = stored.handles;
    if (!handles) return stored.value;
    const whole = handles[''];
    if (whole) return this.read(whole);
    const value: JsonObject = { ...(isJsonObject(stored.value) ? stored.value : {}) };
    for (const [field, handle] of Object.entries(handles)) {
      if (only === undefined || only === field) define(value, field, await this.read(handle));
    }
    return value;
  }

  async read(handle: Handle): Promise<Json> {
    const known = this.known?.(handle);
    if (known !== undefined) return known;
    if ('text' in handle) return JSON.parse((await this.textBytes(handle)).toString('utf8')) as Json;
    const first = handle.parts[0];
    if (handle.parts.length === 1 && first?.kind === 'whole') return this.part(first);
    const list: Json[] = [];
    for (const part of handle.parts) {
      const value = await this.part(part);
      if (part.kind === 'slice' && Array.isArray(value)) for (const item of value) list.push(item);
      else list.push(value);
    }
    return list;
  }

  part(part: BlobPart): Promise<Json> {
    const cached = this.cache.get(part.sha256);
    if (cached) return cached;
    const loading = this.blobs
      .get(this.ownerId, part.sha256)
      .then((bytes) => JSON.parse(bytes.toString('utf8')) as Json);
    this.cache.set(part.sha256, loading);
    return loading;
  }

  /** Takes the large parts out of a result. */
  async offload(value: Json, limit: number, put: Put = (part) => this.put(part)): Promise<StoredValue> {
    if (!exceedsJsonSize(value, limit)) return { value };
    if (!isJsonObject(value)) return { value: null, handles: { '': await put(value) } };
    const kept: JsonObject = {};
    const handles: { [field: string]: Handle } = {};
    for (const [field, inner] of Object.entries(value)) {
      if (field !== '' && exceedsJsonSize(inner, Math.min(FIELD_LIMIT, limit))) {
        define(handles, field, await put(inner));
        define(kept, field, null);
      } else define(kept, field, inner);
    }
    await offloadLargest(kept, { handles, limit, put });
    if (exceedsJsonSize(kept, limit)) return { value: null, handles: { '': await put(value) } };
    return { value: kept, handles };
  }

  /** Throws `payload_too_large`. */
  async put(value: Json): Promise<PartsHandle> {
    return this.putBytes(Buffer.from(textOf(value), 'utf8'), Array.isArray(value) ? value.length : undefined);
  }

  async putBytes(bytes: Uint8Array, count?: number): Promise<PartsHandle> {
    checkSize(bytes.length);
    const { sha256, size } = await this.blobs.put(this.ownerId, bytes);
    const handle: PartsHandle = { parts: [{ sha256, size, kind: 'whole' }], size };
    return count === undefined ? handle : { ...handle, count };
  }

  bytes(part: BlobPart): Promise<Buffer> {
    return this.blobs.get(this.ownerId, part.sha256);
  }

  /** The JSON of a value that lies in pieces. */
  async textBytes({ text }: TextHandle): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (const piece of text) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : await this.bytes(piece));
    return Buffer.concat(pieces);
  }
}

interface Moving {
  handles: { [field: string]: Handle };
  limit: number;
  put: Put;
}

/** Several fields that are small enough each are too large together. What is small stays at hand: the engine reads there what is missing. */
async function offloadLargest(kept: JsonObject, { handles, limit, put }: Moving): Promise<void> {
  let over = jsonSize(kept) - limit;
  if (over <= 0) return;
  const sizes = Object.entries(kept).map(([field, inner]) => ({ field, inner, size: jsonSize(inner) }));
  const largest = sizes.toSorted((one, other) => other.size - one.size).slice(0, MOST_MOVED);
  const moved = largest.filter(({ field, size }) => {
    if (over <= 0 || field === '') return false;
    over -= size - NULL_SIZE;
    return true;
  });
  if (over > 0) return;
  for (const { field, inner } of moved) {
    define(handles, field, await put(inner));
    define(kept, field, null);
  }
}

/** Limit of one value: it must fit into a worker's memory several times. */
const VALUE_MAX = 64 * 1024 * 1024;

/** A text longer than the language allows is a value that is too large, like any above the limit. */
export function textOf(value: Json, replaced?: (key: string, inner: Json) => Json): string {
  try {
    return JSON.stringify(value, replaced);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    checkSize(jsonSize(value));
    throw error;
  }
}

export function checkSize(bytes: number): void {
  if (bytes <= VALUE_MAX) return;
  throw new AppError(
    'payload_too_large',
    `One value may have at most ${VALUE_MAX / 1_048_576} MB of JSON; this one has ${(bytes / 1_048_576).toFixed(1)} MB. Filter it, page it, or write it to a workspace and pass its name.`,
    { category: 'too_large' },
  );
}

/** Own property whatever the name: `__proto__` in data is a field like any other. */
function define<T>(target: { [field: string]: T }, field: string, value: T): void {
  Object.defineProperty(target, field, { value, enumerable: true, configurable: true, writable: true });
}
