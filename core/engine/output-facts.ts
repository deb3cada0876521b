import type { Json, JsonObject } from '../base/json';
import { isPlainText, jsonSize } from '../base/json-size';
import { knownSize } from '../base/known-size';
import type { Gap } from './gaps';
import type { StoredValue } from './values';

/** Replay-sensitive. Every step of every run keeps such a preview: it serves to recognise a result, not to read it. */
const PREVIEW_BYTES = 512;
const MAX_DEPTH = 5;

/** Facts of a result in `step.finished`: its size as JSON, and its beginning. Stored parts are null in it. */
export function outputFacts(output: StoredValue): JsonObject {
  const outside = Object.values(output.handles ?? {}).reduce((sum, handle) => sum + handle.size, 0);
  const whole = output.handles?.[''] !== undefined;
  const size = whole ? outside : knownSize(output.value) + outside;
  return whole ? { size } : { size, output_preview: beginningOf(output.value) };
}

/** The field `incomplete` of `step.finished`; absent where the result has no gap. */
export function incompleteFact(gaps: readonly Gap[]): JsonObject {
  return gaps.length === 0 ? {} : { incomplete: gaps.map(({ code, message }) => ({ code, message })) };
}

/** The same shape with less content: lists and objects end early, texts end with `…`. */
export function beginningOf(value: Json): Json {
  return cut(value, { left: PREVIEW_BYTES }, 0);
}

interface Room {
  /** About as many bytes of JSON may still come. */
  left: number;
}

function cut(value: Json, room: Room, depth: number): Json {
  if (typeof value === 'string') return cutText(value, room);
  if (typeof value !== 'object' || value === null) {
    room.left -= jsonSize(value);
    return value;
  }
  room.left -= 2;
  return Array.isArray(value) ? cutList(value, room, depth) : cutObject(value, room, depth);
}

function cutText(text: string, room: Room): string {
  // Size without the quotes. A character may take six bytes, so nothing longer than the room can fit.
  const most = Math.max(0, room.left - 2);
  const size = text.length > most ? Number.POSITIVE_INFINITY : jsonSize(text);
  if (size <= room.left) {
    room.left -= size;
    return text;
  }
  // Reserves the two quotes and the three bytes of the ellipsis.
  room.left -= 5;
  const plain = text.slice(0, most);
  const kept = isPlainText(plain) ? plain.slice(0, Math.max(0, room.left)) : fitting(text, room.left);
  room.left -= jsonSize(kept) - 2;
  return `${kept}…`;
}

/** Whole characters that fit into so many bytes. */
function fitting(text: string, bytes: number): string {
  let left = bytes;
  let kept = '';
  for (const character of text) {
    left -= jsonSize(character) - 2;
    if (left < 0) break;
    kept += character;
  }
  return kept;
}

function cutList(list: readonly Json[], room: Room, depth: number): Json[] {
  const kept: Json[] = [];
  for (const item of list) {
    if (room.left <= 0 || depth === MAX_DEPTH) break;
    room.left -= 1;
    kept.push(cut(item, room, depth + 1));
  }
  return kept;
}

function cutObject(object: JsonObject, room: Room, depth: number): JsonObject {
  const kept: [string, Json][] = [];
  for (const key of Object.keys(object)) {
    const bytes = jsonSize(key) + 2;
    if (bytes > room.left || depth === MAX_DEPTH) break;
    room.left -= bytes;
    kept.push([key, cut(object[key] ?? null, room, depth + 1)]);
  }
  return Object.fromEntries(kept);
}
