import { ownField, type JsonObject } from '../base/json';
import { fail } from './failure';
import { fieldPath } from './field-path';
import { METRICS, type Metric } from './metrics';
import { optionalText, requiredText } from './params';

/** `{op, field?, as?}`; `operator` and `function` are other names of `op`, and `count` alone needs no field. */
export function metricOf(params: JsonObject): Metric {
  const op =
    optionalText(params, 'op', '') || optionalText(params, 'operator', '') || optionalText(params, 'function', '');
  const start = METRICS.get(op);
  if (start === undefined) {
    fail('invalid_operation', `the metric's \`op\` is "${op}": expected one of ${[...METRICS.keys()].join(', ')}.`);
  }
  const hasField = typeof ownField(params, 'field') === 'string';
  if (op === 'count' && !hasField) {
    return { as: optionalText(params, 'as', 'count'), start: (exact) => start(undefined, exact) };
  }
  const field = requiredText(params, 'field');
  const path = fieldPath(field);
  return { as: optionalText(params, 'as', `${op}_${field}`), path, start: (exact) => start(path, exact) };
}
