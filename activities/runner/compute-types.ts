import type { Json, JsonObject } from '../../core/base/json';
import type { BlobPart } from '../../core/engine/values';
import type { PathSegment } from '../../core/expr/types';

/** A pure step with large inputs, on its way to a thread: blobs travel as bytes and are parsed there. */
export interface ComputeTask {
  /** Blobs are known to the thread by owner and address. */
  owner: string;
  action: string;
  inputTemplate: JsonObject;
  params: JsonObject;
  inputOverride: JsonObject;
  refs: { [ref: string]: ComputeRef };
  valueLimit: number;
}
export type ComputeRef =
  | { kind: 'value'; value: Json }
  | { kind: 'undefined' }
  | {
      kind: 'parts';
      base: Json;
      fields: { field: string; parts: ComputePart[] }[];
      path: PathSegment[];
    };

/** Stored value for the thread. Without `bytes` the thread may still have it. */
export interface ComputeBlob {
  part: BlobPart;
  bytes?: Uint8Array;
}
export type ComputePart = ComputeBlob | { text: (string | ComputeBlob)[] };

/** JSON of a large field: text, what lies in a blob that the task has read, and bytes that are to be stored. */
export interface LargeField {
  field: string;
  pieces: (string | BlobPart | Uint8Array)[];
  count?: number;
}

/** `missing`: addresses of blobs that the thread does not have any more; nothing was done. */
export type ComputeAnswer =
  { ok: true; value: Json; large: LargeField[] } | { ok: false; code: string; message: string } | { missing: string[] };
