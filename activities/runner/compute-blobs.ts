import { randomUUID } from 'node:crypto';
import type { Json } from '../../core/base/json';
import type { BlobPart } from '../../core/engine/values';
import type { ComputeBlob, ComputePart, ComputeRef, ComputeTask } from './compute-types';

/** Bytes of JSON whose values a thread keeps: the steps of a chain each read what the one before has read. */
const KEPT_BYTES = 16 * 1024 * 1024;

interface Kept {
  value: Json;
  bytes: number;
}

/** Values of blobs, the one that was read last at the end. */
const kept = new Map<string, Kept>();

/** Addresses of the blobs that a task needs and the thread does not have. */
export function missingBlobs({ owner, refs }: ComputeTask): string[] {
  return blobsOf(Object.values(refs))
    .filter(({ part, bytes }) => bytes === undefined && !kept.has(keyOf(owner, part)))
    .map(({ part }) => part.sha256);
}

function blobsOf(refs: ComputeRef[]): ComputeBlob[] {
  return refs
    .flatMap((ref) => (ref.kind === 'parts' ? ref.fields.flatMap(({ parts }) => parts) : []))
    .flatMap((part) => ('text' in part ? part.text.filter((piece) => typeof piece !== 'string') : [part]));
}

/** Blobs that one task reads: what its result holds of them by reference is stored already. */
export class TaskBlobs {
  private readonly read = new Map<Json, BlobPart>();
  private readonly owner: string;
  /** Values that the thread had at the beginning: to read others takes their room. */
  private readonly held = new Map<string, Kept>();

  constructor({ owner, refs }: Pick<ComputeTask, 'owner' | 'refs'>) {
    this.owner = owner;
    for (const { part } of blobsOf(Object.values(refs))) {
      const key = keyOf(owner, part);
      const found = kept.get(key);
      if (found !== undefined) this.held.set(key, found);
    }
  }

  /** The blob that a value came from. */
  partOf(value: Json): BlobPart | undefined {
    return this.read.get(value);
  }

  join(parts: ComputePart[]): Json {
    const [first] = parts;
    if (parts.length === 1 && first !== undefined && ('text' in first || first.part.kind === 'whole'))
      return this.valueOf(first);
    const list: Json[] = [];
    for (const part of parts) {
      const value = this.valueOf(part);
      if (!('text' in part) && part.part.kind === 'slice' && Array.isArray(value))
        for (const item of value) list.push(item);
      else list.push(value);
    }
    return list;
  }

  private valueOf(part: ComputePart): Json {
    return 'text' in part ? this.aroundBlobs(part.text) : this.blob(part);
  }

  /** Values of blobs stand in it by reference. */
  private aroundBlobs(text: (string | ComputeBlob)[]): Json {
    const mark = randomUUID();
    const blobs: Json[] = [];
    const json = text.map((piece) =>
      typeof piece === 'string' ? piece : `"${mark}${blobs.push(this.blob(piece)) - 1}"`,
    );
    return JSON.parse(json.join(''), (_key, value: Json) =>
      typeof value === 'string' && value.startsWith(mark) ? (blobs[Number(value.slice(mark.length))] ?? null) : value,
    ) as Json;
  }

  private blob({ part, bytes }: ComputeBlob): Json {
    const key = keyOf(this.owner, part);
    const found = this.held.get(key);
    const value = found === undefined ? (JSON.parse(Buffer.from(bytes ?? []).toString('utf8')) as Json) : found.value;
    keep(key, { value, bytes: part.size });
    if (typeof value === 'object' && value !== null) this.read.set(value, { ...part, kind: 'whole' });
    return value;
  }
}

function keyOf(owner: string, { sha256 }: BlobPart): string {
  return `${owner}/${sha256}`;
}

function keep(key: string, value: Kept): void {
  kept.delete(key);
  if (value.bytes > KEPT_BYTES) return;
  kept.set(key, value);
  let sum = 0;
  for (const each of kept.values()) sum += each.bytes;
  for (const [oldest, each] of kept) {
    if (sum <= KEPT_BYTES) return;
    kept.delete(oldest);
    sum -= each.bytes;
  }
}
