import { shorten } from '../../core/base/shorten';
import { parseExactJson } from '../../core/base/exact-json';
import { isJsonObject, type Json } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import { FILTER_OPS, type FilterOp, type RowFilter, type RowSort } from '../../infra/workspace/read-rows';

const MOST_FILTERS = 10;

/** `filter` of the query string. Throws `invalid_filter`. */
export function readFilters(text: string | undefined): RowFilter[] {
  if (text === undefined) return [];
  const list = parse(text);
  if (!Array.isArray(list) || list.length > MOST_FILTERS) {
    throw invalid(`Expected a JSON list of at most ${MOST_FILTERS} conditions.`);
  }
  return list.map(filterOf);
}

/** `sort` of the query string. */
export function readSort(text: string | undefined): RowSort | undefined {
  if (text === undefined) return undefined;
  return text.startsWith('-') ? { column: text.slice(1), descending: true } : { column: text, descending: false };
}

function parse(text: string): Json {
  try {
    return parseExactJson(text);
  } catch {
    throw invalid('Expected JSON.');
  }
}

function filterOf(value: Json): RowFilter {
  const { column, op, value: wanted, ...others } = isJsonObject(value) ? value : {};
  const known = FILTER_OPS.find((candidate): candidate is FilterOp => candidate === op);
  if (typeof column !== 'string' || known === undefined || Object.keys(others).length > 0) {
    throw invalid(`A condition is {"column", "op", "value"}; op is one of ${FILTER_OPS.join(', ')}.`);
  }
  if (wanted === undefined || wanted === null) return { column, op: known };
  if (typeof wanted === 'object')
    throw invalid(`The value for "${shorten(column, 100)}" must be a text, a number or a boolean.`);
  return { column, op: known, value: wanted };
}

function invalid(message: string): AppError {
  return new AppError('invalid_filter', `\`filter\` cannot be read. ${message}`, { category: 'bad_request' });
}
