import type { JsonObject } from '../base/json';
import { END_ACTION, END_STATUSES } from '../transform/end-run';
import type { MapReader } from './map-reader';
import type { StepCommon, ToolStep } from './types';

/** `end: {status, code, message}`, or `fail: "why"` for one that fails. */
export function parseEnd(reader: MapReader, common: StepCommon): ToolStep {
  return { ...endStep(common), inputs: inputsOf(reader) };
}

/** An end that fails ends the run, whatever else a failed step may do. */
export function endStep(common: StepCommon): ToolStep {
  return { ...common, on_error: 'stop', retry_count: 0, kind: 'tool', action: END_ACTION, inputs: {}, params: {} };
}

function inputsOf(reader: MapReader): JsonObject {
  if (reader.has('fail')) return { status: 'failed', message: reader.text('fail', { required: true }) ?? '' };
  const body = reader.map('end');
  if (body === undefined) return {};
  body.rejectUnknown(['status', 'code', 'message'], '`end`');
  const status = body.oneOf('status', END_STATUSES);
  const code = body.string('code');
  const message = body.text('message');
  return {
    status: status ?? 'complete',
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  };
}
