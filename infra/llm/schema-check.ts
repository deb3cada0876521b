import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Json, JsonObject } from '../../core/base/json';
import { keptNumber } from '../../core/base/number-rule';
import type { JsonSchema } from '../../core/schema/json-schema';

const MAX_PROBLEMS = 20;

/** Fault of a value: its place (JSON pointer) and the expected value. */
export interface SchemaProblem extends JsonObject {
  path: string;
  message: string;
}

export type SchemaCheck = (value: Json) => SchemaProblem[];

/** Compiles a schema. The returned function lists at most 20 problems and never throws. */
export function schemaCheck(schema: JsonSchema): SchemaCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, verbose: true });
  addFormats(ajv, ['date', 'date-time', 'time']);
  const validate: ValidateFunction = ajv.compile(schema);
  return (value) => {
    if (validate(value)) {
      return [];
    }
    return (validate.errors ?? [])
      .filter((error) => !isNoise(error) && !isKeptNumber(error))
      .slice(0, MAX_PROBLEMS)
      .map(problem);
  };
}

function problem(error: ErrorObject): SchemaProblem {
  return {
    path: error.instancePath === '' ? '/' : error.instancePath,
    message: `${error.message ?? 'is not valid'}${allowed(error)}`,
  };
}

function allowed(error: ErrorObject): string {
  const values: unknown = error.params['allowedValues'];
  const extra: unknown = error.params['additionalProperty'];
  if (Array.isArray(values)) {
    return `: ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  }
  return typeof extra === 'string' ? `: "${extra}"` : '';
}

/** A number that a double does not hold came in as the text that was written: it is still the number that was asked for. */
function isKeptNumber({ keyword, params, data }: ErrorObject): boolean {
  const exact = keyword === 'type' && typeof data === 'string' ? keptNumber(data) : undefined;
  const types = [params['type']].flat();
  return exact !== undefined && (types.includes('number') || (types.includes('integer') && exact.places <= 0));
}

/** An optional field is `anyOf [type, null]`: only the complaint about the type helps. */
function isNoise(error: ErrorObject): boolean {
  return error.keyword === 'anyOf' || (error.keyword === 'type' && error.params['type'] === 'null');
}
