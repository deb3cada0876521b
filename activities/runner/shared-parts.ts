import { randomUUID } from 'node:crypto';
import type { Json } from '../../core/base/json';
import type { BlobPart, Handle, PartsHandle } from '../../core/engine/values';
import { checkSize, textOf, type Values } from './values';

/** Text of a value around its shared parts; with more of it the value is a blob of its own. */
export const AROUND_BYTES = 16_384;
/** A value with more large parts is stored whole: each part is a blob of its own. */
export const MOST_PARTS = 4;

/** Blobs of parts that are stored already, or on their way. */
export interface StoredParts {
  get(part: Json): Promise<PartsHandle> | undefined;
  set(part: Json, storing: Promise<PartsHandle>): unknown;
}

/** Stores values that hold the same large parts: each part is one blob. */
export class SharedParts {
  constructor(
    private readonly values: Values,
    private readonly stored: StoredParts = new Map<Json, Promise<PartsHandle>>(),
  ) {}

  /** `parts`: texts, objects and lists that hold no other part. Throws `payload_too_large`. */
  async put(value: Json, parts: ReadonlySet<Json>): Promise<Handle> {
    if (parts.has(value)) return this.storedPart(value);
    const { text, used } = textAround(value, parts);
    const around = textBytes(text);
    const count = Array.isArray(value) ? value.length : undefined;
    if (used.length === 0) return this.values.putBytes(Buffer.from(text.join('')), count);
    if (around > AROUND_BYTES) return this.values.put(value);
    const blobs: BlobPart[] = [];
    for (const part of used) blobs.push(...(await this.storedPart(part)).parts);
    const size = blobs.reduce((sum, blob) => sum + blob.size, around);
    checkSize(size);
    const handle = { text: text.flatMap((piece, at) => [piece, ...blobs.slice(at, at + 1)]), size };
    return count === undefined ? handle : { ...handle, count };
  }

  private storedPart(part: Json): Promise<PartsHandle> {
    const storing = this.stored.get(part) ?? this.values.put(part);
    this.stored.set(part, storing);
    return storing;
  }
}

/** The JSON text before, between and behind the parts, and the parts in their order. */
export function textAround(value: Json, parts: ReadonlySet<Json>): { text: string[]; used: Json[] } {
  const used: Json[] = [];
  // No data can hold it: it is made here and now.
  const mark = `part:${randomUUID()}`;
  const json = textOf(value, (_key, inner: Json) => {
    if (!parts.has(inner)) return inner;
    used.push(inner);
    return mark;
  });
  return { text: json.split(`"${mark}"`), used };
}

export function textBytes(text: readonly string[]): number {
  return text.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
}
