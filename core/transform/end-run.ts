import { ownField, type Json, type JsonObject } from '../base/json';
import { jsonText } from '../base/json-text';
import type { PureResult } from './pure-result';

/** The action that `end` and `fail` stand for. */
export const END_ACTION = 'end_run';

/** Statuses with which a playbook may end its run. */
export const END_STATUSES = ['complete', 'partial', 'failed'] as const;
type EndStatus = (typeof END_STATUSES)[number];

/** Code of an end on purpose whose author names none. */
const ENDED = 'ended_by_playbook';
const CODE = /^[a-z][a-z0-9_]{0,63}$/;
const MAX_MESSAGE = 1_000;

/** Replay-sensitive. `{status, code?, message?}`: an end that failed is the failure of its step, any other one is its result. */
export function endRun(inputs: JsonObject): PureResult {
  const status = ownField(inputs, 'status') ?? 'complete';
  if (!isEndStatus(status))
    return invalid(`\`status\` is ${shown(status)}: expected one of ${END_STATUSES.join(', ')}.`);
  const code = ownField(inputs, 'code') ?? ENDED;
  if (typeof code !== 'string' || !CODE.test(code)) {
    return invalid(`\`code\` is ${shown(code)}: expected small letters, digits and _, for example no_filings.`);
  }
  const written = jsonText(ownField(inputs, 'message')).slice(0, MAX_MESSAGE);
  if (status === 'failed')
    return { ok: false, code, message: written === '' ? 'The playbook ended the run.' : written };
  return { ok: true, output: { status, code, message: written === '' ? null : written } };
}

function isEndStatus(value: Json | undefined): value is EndStatus {
  return END_STATUSES.some((status) => status === value);
}

function invalid(message: string): PureResult {
  return { ok: false, code: 'invalid_input', message };
}

function shown(value: Json): string {
  return JSON.stringify(value).slice(0, 60);
}
