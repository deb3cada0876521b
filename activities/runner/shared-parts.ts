import { randomUUID } from 'node:crypto';
import type { Json } from '../../core/base/json';
import type { BlobPart, Handle, PartsHandle } from '../../core/engine/values';
import { checkSize, textOf, type Values } from './values';

/** Text of a value around its shared parts; with more of it the value is a blob of its own. */
const AROUND_BYTES = 16_384;

/** Stores values that hold the same large parts: each part is one blob. */
export class SharedParts {
  private readonly parts: ReadonlySet<unknown>;
  private readonly stored = new Map<Json, Promise<PartsHandle>>();

  /** `parts`: texts, objects and lists that hold no other part. */
  constructor(
    private readonly values: Values,
    parts: readonly Json[],
  ) {
    this.parts = new Set(parts);
  }

  /** Throws `payload_too_large`. */
  async put(value: Json): Promise<Handle> {
    if (this.parts.has(value)) return this.storedPart(value);
    const { text, used } = this.textAround(value);
    const around = text.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
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

  /** The JSON text before, between and behind the parts, and the parts in their order. */
  private textAround(value: Json): { text: string[]; used: Json[] } {
    const used: Json[] = [];
    // No data can hold it: it is made here and now.
    const mark = `part:${randomUUID()}`;
    const json = textOf(value, (_key, inner: Json) => {
      if (!this.parts.has(inner)) return inner;
      used.push(inner);
      return mark;
    });
    return { text: json.split(`"${mark}"`), used };
  }
}
