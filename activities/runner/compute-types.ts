import type { Json, JsonObject } from '../../core/base/json';
import type { BlobPart } from '../../core/engine/values';
import type { PathSegment } from '../../core/expr/types';

/** A pure step with large inputs, on its way to a thread: blobs travel as bytes and are parsed there. */
export interface ComputeTask {
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

export interface ComputePart {
  kind: BlobPart['kind'];
  bytes: Uint8Array;
}

/** Large fields come back as JSON bytes, ready to be stored. */
export type ComputeAnswer =
  | { ok: true; value: Json; large: { field: string; bytes: Uint8Array; count?: number }[] }
  | { ok: false; code: string; message: string };
