import type { Json, JsonObject } from '../../core/base/json';
import { isJsonObject, ownField } from '../../core/base/json';
import type { Pagination } from '../../core/connector/types';
import type { Pair } from '../http/bodies/form';

/** Position of a page. Plain JSON: a call that waits carries it along. */
export type Position =
  | { at: 'first' }
  | { at: 'number'; value: number }
  | { at: 'cursor'; value: string | number }
  | { at: 'keys'; values: JsonObject }
  | { at: 'url'; url: string };

/** Parameters that a page adds to the request. An address replaces the request's own. */
export interface PageParameters {
  in: Pagination['in'];
  values: Pair[];
  url?: string;
}

export const NO_PAGE_PARAMETERS: PageParameters = { in: 'query', values: [] };

/** Paging with the caller's own position and page size, which override those of the definition. */
export function withCallerPaging(paging: Pagination, inputs: JsonObject): Pagination {
  const size = wholeNumber(paging.size_param === undefined ? undefined : ownField(inputs, paging.size_param));
  const start = wholeNumber(ownField(inputs, paramOf(paging)));
  return { ...paging, ...(size === undefined ? {} : { size }), ...(start === undefined ? {} : { start }) };
}

export function firstPosition(paging: Pagination, inputs: JsonObject): Position {
  if (paging.type === 'page' || paging.type === 'offset') {
    return { at: 'number', value: paging.start };
  }
  const cursor = paging.type === 'cursor' ? ownField(inputs, paramOf(paging)) : undefined;
  return isCursor(cursor) ? { at: 'cursor', value: cursor } : { at: 'first' };
}

export function pageParametersAt(paging: Pagination, position: Position): PageParameters {
  if (position.at === 'url') {
    return { in: paging.in, values: [], url: position.url };
  }
  const size: Pair[] =
    paging.size_param === undefined || paging.size === undefined ? [] : [[paging.size_param, paging.size]];
  return { in: paging.in, values: [...size, ...valuesOf(paging, position)] };
}

function valuesOf(paging: Pagination, position: Position): Pair[] {
  if (position.at === 'number' || position.at === 'cursor') {
    return [[paramOf(paging), position.value]];
  }
  return position.at === 'keys' ? Object.entries(position.values) : [];
}

/** A position that came back from where waiting calls are kept. */
export function positionFrom(value: Json | undefined): Position | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const known = ['first', 'number', 'cursor', 'keys', 'url'].some((kind) => kind === value['at']);
  return known ? (value as unknown as Position) : undefined;
}

export function isCursor(value: Json | undefined): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

/** Every type that has one parameter declares it. */
function paramOf(paging: Pagination): string {
  return paging.param ?? '';
}

function wholeNumber(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}
