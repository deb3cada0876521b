import { isJsonObject } from '../../core/base/json';
import {
  blobsOf,
  type BlobPart,
  type Handle,
  type PartsHandle,
  type StoredValue,
  type TextHandle,
} from '../../core/engine/values';

const OPEN_LIST = 0x5b;

/** Loads the content of a blob. */
export type Load = (part: BlobPart) => Promise<Buffer>;

/** A stored value as JSON, one blob in memory at a time: what lies outside is already text and is passed on as it is. */
export async function* storedJson(stored: StoredValue, load: Load): AsyncGenerator<Buffer> {
  const { value, handles = {} } = stored;
  const whole = handles[''];
  if (whole !== undefined) {
    yield* handleJson(whole, load);
    return;
  }
  if (!isJsonObject(value) || Object.keys(handles).length === 0) {
    yield Buffer.from(JSON.stringify(value));
    return;
  }
  // The first stored content is loaded before any output: lost content becomes an error answer.
  let before = '{';
  let comma = '';
  for (const [field, inner] of Object.entries(value)) {
    const handle = Object.hasOwn(handles, field) ? handles[field] : undefined;
    before += `${comma}${JSON.stringify(field)}:${handle === undefined ? JSON.stringify(inner) : ''}`;
    if (handle !== undefined) {
      for await (const piece of handleJson(handle, load)) {
        yield Buffer.concat([Buffer.from(before), piece]);
        before = '';
      }
    }
    comma = ',';
  }
  yield Buffer.from(`${before}}`);
}

/** Addresses of all content of a value that lies outside of it. */
export function partsOf({ handles = {} }: StoredValue): BlobPart[] {
  return Object.values(handles).flatMap(blobsOf);
}

async function* handleJson(handle: Handle, load: Load): AsyncGenerator<Buffer> {
  if ('text' in handle) yield* textJson(handle, load);
  else yield* partsJson(handle, load);
}

/** Loads the first stored content before any output. */
async function* textJson({ text }: TextHandle, load: Load): AsyncGenerator<Buffer> {
  let before = '';
  for (const piece of text) {
    if (typeof piece === 'string') {
      before += piece;
      continue;
    }
    yield Buffer.concat([Buffer.from(before), await load(piece)]);
    before = '';
  }
  yield Buffer.from(before);
}

async function* partsJson({ parts }: PartsHandle, load: Load): AsyncGenerator<Buffer> {
  const [first] = parts;
  if (parts.length === 1 && first?.kind === 'whole') {
    yield load(first);
    return;
  }
  let before = '[';
  for (const part of parts) {
    const items = withoutBrackets(part, await load(part));
    if (items.length === 0) continue;
    yield Buffer.from(before);
    yield items;
    before = ',';
  }
  yield Buffer.from(before === '[' ? '[]' : ']');
}

/** A slice is a list whose elements continue the list. */
function withoutBrackets(part: BlobPart, json: Buffer): Buffer {
  return part.kind === 'slice' && json[0] === OPEN_LIST ? json.subarray(1, -1) : json;
}
