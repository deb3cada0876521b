import '../../infra/log/source-maps';
import { isJsonObject, type Json, type JsonObject } from '../../core/base/json';
import { exceedsJsonSize } from '../../core/base/json-size';
import { AppError } from '../../core/errors/app-error';
import { walkPath } from '../../core/expr/reference';
import { renderValue } from '../../core/expr/template';
import { type PureAction, pureActions } from '../../core/transform/pure-actions';
import type { ComputeAnswer, ComputeRef, ComputeTask } from './compute-types';

/** Runs in a thread of its own, so that megabytes of rows never hold up the worker's other runs. */
const FIELD_LIMIT = 65_536;

export default function compute(task: ComputeTask): ComputeAnswer {
  const action = pureActions[task.action];
  if (!action) return { ok: false, code: 'not_available', message: `${task.action} is no pure action.` };
  try {
    return carryOut(action, task);
  } catch (error) {
    if (error instanceof AppError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}

function carryOut(action: PureAction, task: ComputeTask): ComputeAnswer {
  const table = new Map(Object.entries(task.refs).map(([text, ref]) => [text, valueOf(ref)]));
  const render = (value: JsonObject): JsonObject => {
    const rendered = renderValue(value, (ref) => table.get(ref.text));
    return isJsonObject(rendered) ? rendered : {};
  };
  const result = action({ ...render(task.inputTemplate), ...task.inputOverride }, render(task.params));
  return result.ok ? split(result.output, task.valueLimit) : result;
}

function valueOf(ref: ComputeRef): Json | undefined {
  if (ref.kind === 'undefined') return undefined;
  if (ref.kind === 'value') return ref.value;
  let base = ref.base;
  for (const { field, parts } of ref.fields) {
    const value = join(parts);
    if (field === '') base = value;
    else if (isJsonObject(base)) base = { ...base, [field]: value };
  }
  return walkPath(base, ref.path);
}

function join(parts: { kind: string; bytes: Uint8Array }[]): Json {
  const values = parts.map((part) => JSON.parse(Buffer.from(part.bytes).toString('utf8')) as Json);
  if (values.length === 1 && parts[0]?.kind === 'whole') return values[0] ?? null;
  const list: Json[] = [];
  values.forEach((value, at) => {
    if (parts[at]?.kind === 'slice' && Array.isArray(value)) for (const item of value) list.push(item);
    else list.push(value);
  });
  return list;
}

function split(output: Json, limit: number): ComputeAnswer {
  if (!isJsonObject(output) || !exceedsJsonSize(output, limit)) return { ok: true, value: output, large: [] };
  const value: JsonObject = {};
  const large: { field: string; bytes: Uint8Array; count?: number }[] = [];
  for (const [field, inner] of Object.entries(output)) {
    if (!exceedsJsonSize(inner, Math.min(FIELD_LIMIT, limit))) {
      value[field] = inner;
      continue;
    }
    value[field] = null;
    const bytes = Buffer.from(JSON.stringify(inner), 'utf8');
    large.push(Array.isArray(inner) ? { field, bytes, count: inner.length } : { field, bytes });
  }
  return { ok: true, value, large };
}
