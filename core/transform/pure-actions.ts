import type { ExactNumbers } from '../base/exact-numbers';
import { ownField, type Json, type JsonObject } from '../base/json';
import { crossReference } from './cross-reference';
import { END_ACTION, endRun } from './end-run';
import type { PureResult } from './pure-result';
import { transformData } from './transform';

/** Replay-sensitive. Actions that are pure functions of their inputs: workflow code and threads call them alike. */
export type PureAction = (
  inputs: JsonObject,
  params: JsonObject,
  exact?: ExactNumbers,
  knownOnly?: () => boolean,
) => PureResult;

function transform(
  inputs: JsonObject,
  params: JsonObject,
  exact?: ExactNumbers,
  knownOnly?: () => boolean,
): PureResult {
  const { data, ...extra } = inputs;
  const result = transformData(data ?? null, ownField(params, 'operations') ?? [], extra, exact, knownOnly);
  if (!result.ok) return result;
  const { ok: _ok, ...output } = result;
  return { ok: true, output };
}

function reference(inputs: JsonObject, params: JsonObject, exact?: ExactNumbers): PureResult {
  const [a, b] = [ownField(inputs, 'dataset_a') ?? null, ownField(inputs, 'dataset_b') ?? null];
  const result = crossReference(a, b, params, exact);
  if (!result.ok) return result;
  const { ok: _ok, ...output } = result;
  return { ok: true, output: JSON.parse(JSON.stringify(output)) as Json };
}

export const pureActions: { readonly [action: string]: PureAction | undefined } = Object.assign(
  Object.create(null) as { [action: string]: PureAction | undefined },
  { transform_data: transform, cross_reference: reference, [END_ACTION]: endRun },
);
