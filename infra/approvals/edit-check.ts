import { Ajv, type ErrorObject } from 'ajv';
import { suggestionOr } from '../../core/base/did-you-mean';
import type { Json, JsonObject } from '../../core/base/json';
import { keptNumber } from '../../core/base/number-rule';
import { editFault } from '../../core/connector/edit-schema';
import { shorten } from '../../core/base/shorten';

const ajv = new Ajv({ strict: false, allErrors: true, verbose: true });
const MAX_SHOWN = 40;
const MAX_LISTED = 50;

/** Faults of edited inputs, by the schema of the gated action and the rules of its call; undefined = they fit. */
export function editProblem(schema: Json, edits: JsonObject): string | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return Object.keys(edits).length === 0 ? undefined : 'This approval has no inputs that could be edited.';
  }
  const errors = ajv.validate(schema, edits) ? [] : (ajv.errors ?? []);
  const sentences = [...errors.filter((error) => !isNoise(error)).map(sentence), ...callFaults(schema, edits, errors)];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Faults that the call itself would find. A value that does not fit the schema is reported already. */
function callFaults(schema: JsonObject, edits: JsonObject, errors: readonly ErrorObject[]): string[] {
  const told = new Set(errors.map(({ instancePath }) => instancePath.split('/')[1]));
  return Object.entries(edits).flatMap(([name, value]) => {
    const found = told.has(pointerPart(name)) ? undefined : editFault(schema, name, value);
    if (found === undefined) return [];
    return [`\`edits/${name}\` ${found.fault}.${found.wayOut === undefined ? '' : ` ${found.wayOut}`}`];
  });
}

/** RFC 6901. */
function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Optional inputs are `anyOf [type, null]`: the complaint about the type alone helps. */
function isNoise({ keyword, params }: ErrorObject): boolean {
  return keyword === 'anyOf' || (keyword === 'type' && params['type'] === 'null');
}

function sentence({ instancePath, keyword, params, message, data, parentSchema }: ErrorObject): string {
  const place = `edits${instancePath}`;
  const name: unknown = params['additionalProperty'];
  if (keyword === 'additionalProperties') {
    const known = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {});
    const list = known.length === 0 ? 'It has none.' : `It has: ${known.slice(0, MAX_LISTED).join(', ')}.`;
    return `\`${place}/${String(name)}\` is no input of the action. ${suggestionOr(String(name), known, list)}`;
  }
  return `\`${place}\` ${message ?? 'does not fit'}.${wayOut(keyword, params['type'], data)}`;
}

/** A number that a double does not hold came in as the text that was written; sent as a number it would be another one. */
function wayOut(keyword: string, type: unknown, data: unknown): string {
  const isNumber = keyword === 'type' && (type === 'number' || type === 'integer');
  if (!isNumber || typeof data !== 'string' || keptNumber(data) === undefined) return '';
  return (
    ` ${shorten(data, MAX_SHOWN)} has more digits than a number holds, or is too large or small for one, so it would be rounded. ` +
    'Give a number of at most 15 digits, or let the author declare the parameter as `string`: then it is sent as it is written.'
  );
}
