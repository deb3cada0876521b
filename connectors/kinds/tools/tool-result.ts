import { isJsonObject, ownField, type Json } from '../../../core/base/json';
import { parseDotPath, readDotPath } from '../../../core/connector/path';
import type { ToolEndpoint } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import { mappedResult } from '../../mapping/mapped-result';
import type { AnswerCounts } from '../../runtime/source-client';

/** An action's result as its endpoint gives it: as it is with `passthrough`, else records like those of any connector. */
export function toolResult(endpoint: ToolEndpoint, output: Json): Json {
  if (endpoint.passthrough) return output;
  const path = endpoint.response_mapping?.results_path;
  const found = path === undefined ? output : readDotPath(output, parseDotPath(path) ?? []);
  if (found === undefined || found === null) {
    throw new AppError('bad_response', `The action's result has no \`${path ?? ''}\`.`, { category: 'upstream' });
  }
  return mappedResult(endpoint.response_mapping, Array.isArray(found) ? found : [found], 'dot');
}

/** Counts for the record of the call. */
export function itemsOf(result: Json): AnswerCounts {
  const records = isJsonObject(result) ? ownField(result, 'results') : undefined;
  return Array.isArray(records) ? { items: records.length } : {};
}
