import '../../infra/log/source-maps';
import { isJsonObject, type Json, type JsonObject } from '../../core/base/json';
import { exceedsJsonSize } from '../../core/base/json-size';
import { largeParts } from '../../core/base/shared-json';
import { AppError } from '../../core/errors/app-error';
import { walkPath } from '../../core/expr/reference';
import { renderValue } from '../../core/expr/template';
import { type PureAction, pureActions } from '../../core/transform/pure-actions';
import { missingBlobs, TaskBlobs } from './compute-blobs';
import type { ComputeAnswer, ComputeRef, ComputeTask, LargeField } from './compute-types';
import { AROUND_BYTES, MOST_PARTS, textAround, textBytes } from './shared-parts';

/** Runs in a thread of its own, so that megabytes of rows never hold up the worker's other runs. */
const FIELD_LIMIT = 65_536;

export default function compute(task: ComputeTask): ComputeAnswer {
  const action = pureActions[task.action];
  if (!action) return { ok: false, code: 'not_available', message: `${task.action} is no pure action.` };
  const missing = missingBlobs(task);
  if (missing.length > 0) return { missing };
  try {
    return carryOut(action, task);
  } catch (error) {
    if (error instanceof AppError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}

function carryOut(action: PureAction, task: ComputeTask): ComputeAnswer {
  const blobs = new TaskBlobs(task);
  const table = new Map(Object.entries(task.refs).map(([text, ref]) => [text, valueOf(ref, blobs)]));
  const render = (value: JsonObject): JsonObject => {
    const rendered = renderValue(value, (ref) => table.get(ref.text));
    return isJsonObject(rendered) ? rendered : {};
  };
  const result = action({ ...render(task.inputTemplate), ...task.inputOverride }, render(task.params));
  return result.ok ? split(result.output, task.valueLimit, blobs) : result;
}

function valueOf(ref: ComputeRef, blobs: TaskBlobs): Json | undefined {
  if (ref.kind === 'undefined') return undefined;
  if (ref.kind === 'value') return ref.value;
  let base = ref.base;
  for (const { field, parts } of ref.fields) {
    const value = blobs.join(parts);
    if (field === '') base = value;
    else if (isJsonObject(base)) base = { ...base, [field]: value };
  }
  return walkPath(base, ref.path);
}

function split(output: Json, limit: number, blobs: TaskBlobs): ComputeAnswer {
  if (!isJsonObject(output) || !exceedsJsonSize(output, limit)) return { ok: true, value: output, large: [] };
  const value: JsonObject = {};
  const large: LargeField[] = [];
  for (const [field, inner] of Object.entries(output)) {
    if (!exceedsJsonSize(inner, Math.min(FIELD_LIMIT, limit))) {
      value[field] = inner;
      continue;
    }
    value[field] = null;
    const pieces = piecesOf(inner, blobs);
    large.push(Array.isArray(inner) ? { field, pieces, count: inner.length } : { field, pieces });
  }
  return { ok: true, value, large };
}

/**
 * Writes no value again that a step passes on: its large parts are blobs of their own, and parts that were read are in
 * memory.
 */
function piecesOf(value: Json, blobs: TaskBlobs): LargeField['pieces'] {
  const parts = new Set(largeParts(value, (inner) => blobs.partOf(inner) !== undefined));
  if (parts.has(value) || parts.size > MOST_PARTS) return [blobs.partOf(value) ?? bytesOf(value)];
  const { text, used } = textAround(value, parts);
  if (textBytes(text) > AROUND_BYTES) return [bytesOf(value)];
  return text.flatMap((piece, at) => [
    piece,
    ...used.slice(at, at + 1).map((part) => blobs.partOf(part) ?? bytesOf(part)),
  ]);
}

function bytesOf(value: Json): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}
