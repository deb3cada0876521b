import type { Json } from '../base/json';
import type { PathSegment } from '../expr/types';

/**
 * Replay-sensitive. A large value stays outside the workflow; its handle lies BESIDE the data
 * (never as a marker inside it), so no tool result can forge one.
 */
export type Handle = PartsHandle | TextHandle;

interface HandleFacts {
  /** Bytes of JSON. */
  size: number;
  /** Number of elements when the value is a list. */
  count?: number;
}

export interface PartsHandle extends HandleFacts {
  /** Blobs in order. `slice` holds a JSON array whose elements continue the list, `whole` a JSON value. */
  parts: BlobPart[];
}

/** A value that holds large parts of other values: their blobs are shared. */
export interface TextHandle extends HandleFacts {
  /** The JSON text of the value in pieces: text as it is, and blobs (`whole`) that hold a JSON value. */
  text: (string | BlobPart)[];
}

/** Addresses of all content of a value that lies outside of it. */
export function blobsOf(handle: Handle): BlobPart[] {
  return 'parts' in handle ? handle.parts : handle.text.filter((piece) => typeof piece !== 'string');
}

export interface BlobPart {
  /** `sha256` of the blob content: the blob's address within the owner's store. */
  sha256: string;
  size: number;
  /** `element`: the blob is one element of the list; `slice`: several; `whole`: the value itself. */
  kind: 'whole' | 'slice' | 'element';
}

/**
 * A value with the large parts taken out. `handles['']` stands for the whole value (then `value` is null),
 * `handles['results']` for the top-level field `results` (then that field is null in `value`).
 */
export interface StoredValue {
  value: Json;
  handles?: { [field: string]: Handle };
}

/**
 * Resolved reference of a step's inputs. `stored` = the value lies (partly) behind handles; the step's activity loads
 * them and then walks `path`.
 */
export type RefValue =
  { kind: 'value'; value: Json } | { kind: 'undefined' } | { kind: 'stored'; stored: StoredValue; path: PathSegment[] };

/** The list's first piece and the addresses of the others, or one of these others. */
export type ItemsRequest = { list: RefValue; max: number; maxBytes: number } | { window: BlobPart };
