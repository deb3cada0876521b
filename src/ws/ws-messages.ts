import { AppError } from '../../core/errors/app-error';
import { isUuid } from '../../core/base/uuid';
import { EVENT_TYPES } from '../runs/events/event-types';

/** Bytes of one message of a client. */
export const MAX_MESSAGE_BYTES = 8_192;
const MOST_ID = 64;

/** Reasons for closing a connection, beside the codes of the protocol itself. */
export const CLOSE = {
  goingAway: { code: 1001, reason: 'shutting_down' },
  onlyText: { code: 1003, reason: 'only_text' },
  tooManyMessages: { code: 1008, reason: 'too_many_messages' },
  silent: { code: 4000, reason: 'no_pong' },
  revoked: { code: 4001, reason: 'access_revoked' },
  slow: { code: 4008, reason: 'slow_consumer' },
} as const;
export type Close = (typeof CLOSE)[keyof typeof CLOSE];

export interface Subscribe {
  type: 'subscribe';
  /** The client's own name for the subscription: it is part of every message about it. */
  id: string;
  /** A run, or `all`. */
  run_id: string;
  /** Start of the events: of a run the number of the last event seen; of `all` a cursor. */
  after?: number | string;
  types?: string[];
}

export type ClientMessage = Subscribe | { type: 'unsubscribe'; id: string } | { type: 'ping' };

/** Throws `invalid_message`. */
export function readMessage(text: string): ClientMessage {
  const message = parse(text);
  switch (message['type']) {
    case 'ping':
      return { type: 'ping' };
    case 'unsubscribe':
      return { type: 'unsubscribe', id: idOf(message['id']) };
    case 'subscribe':
      return subscribe(message);
    default:
      throw invalid('`type` must be subscribe, unsubscribe or ping.');
  }
}

function parse(text: string): { [field: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { ...value };
    }
  } catch {
    // Said below.
  }
  throw invalid('A message is a JSON object.');
}

function subscribe({ id, run_id: run, after, types }: { [field: string]: unknown }): Subscribe {
  if (typeof run !== 'string' || (run !== 'all' && !isUuid(run))) {
    throw invalid('`run_id` must be the id of a run, or "all".');
  }
  const place = run === 'all' ? isCursor(after) : isNumber(after);
  if (after !== undefined && !place) {
    throw invalid('`after` must be the number of an event of the run, or for "all" a cursor.');
  }
  return {
    type: 'subscribe',
    id: idOf(id),
    run_id: run.toLowerCase(),
    ...(after === undefined ? {} : { after: after as number | string }),
    ...(types === undefined ? {} : { types: typesOf(types) }),
  };
}

function isCursor(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 500;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function idOf(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > MOST_ID) {
    throw invalid(`\`id\` must be a text of at most ${MOST_ID} characters that you make up.`);
  }
  return value;
}

function typesOf(value: unknown): string[] {
  const names: unknown[] = Array.isArray(value) ? value : [];
  const known = names.filter((name): name is string => typeof name === 'string' && Object.hasOwn(EVENT_TYPES, name));
  if (known.length === 0 || known.length !== names.length) {
    throw invalid(`\`types\` must be a list of names of events: ${Object.keys(EVENT_TYPES).join(', ')}.`);
  }
  return known;
}

function invalid(message: string): AppError {
  return new AppError('invalid_message', message, { category: 'bad_request' });
}
