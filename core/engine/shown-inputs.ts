import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { jsonSize } from '../base/json-size';
import { firstOf } from '../base/shorten';

/** Bytes of JSON up to which a value is shown as it is. */
const WHOLE_BYTES = 4096;
const SHOWN_CHARACTERS = 1000;
const MASK = '[masked]';
/** Names of values that prove who asks. */
const SECRET =
  /authorization|cookie|passw(or)?d|passphrase|secret|credential|private[-_]?key|api[-_]?key|(^|[-_])token$/i;

/** Replay-sensitive. Inputs for people: values with the name of a secret masked, large ones by their beginning and size. */
export function shownInputs(inputs: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, shortened(masked(name, value))]));
}

function masked(name: string, value: Json): Json {
  if (SECRET.test(name) && value !== null) return MASK;
  if (Array.isArray(value)) return value.map((each) => masked('', each));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, masked(field, inner)]));
}

function shortened(value: Json): Json {
  const bytes = jsonSize(value);
  if (bytes <= WHOLE_BYTES) return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `${firstOf(text, SHOWN_CHARACTERS)}… (${bytes} bytes in all)`;
}
