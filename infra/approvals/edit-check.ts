import { Ajv, type ErrorObject } from 'ajv';
import type { Json, JsonObject } from '../../core/base/json';

const ajv = new Ajv({ strict: false, allErrors: true });

/** What is wrong with edited inputs, by the schema of the gated action; undefined = they fit. */
export function editProblem(schema: Json, edits: JsonObject): string | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return Object.keys(edits).length === 0 ? undefined : 'This approval has no inputs that could be edited.';
  }
  const valid = ajv.validate(schema, edits);
  return valid ? undefined : (ajv.errors ?? []).map(sentence).join(' ');
}

function sentence({ instancePath, keyword, params, message }: ErrorObject): string {
  const place = `edits${instancePath}`;
  const name: unknown = params['additionalProperty'];
  if (keyword === 'additionalProperties') return `\`${place}/${String(name)}\` is no input of the action.`;
  return `\`${place}\` ${message ?? 'does not fit'}.`;
}
