import { type Fields, safeRecord } from '../fields';
import { headerFault } from '../http-names';
import { MAX_ITEMS, MAX_PAGE_BYTES, MAX_PAGES, MAX_SECONDS, PAGE_SIZE, PAGE_START, STALE, TTL } from '../limits';
import { checkDotPath } from '../mapping-path';
import { END_SIGNS, type CachePolicy, type EndSign, type Pagination, type PaginationType } from '../paging-types';
import { PARAMETER_NAME } from '../patterns';
import type { EndpointEffect } from '../types';

export type PagingPlace = Pagination['in'];

export interface PagingRules {
  types: readonly PaginationType[];
  /** Places in which the page may be asked for; the first is the default. */
  places: readonly PagingPlace[];
  effect: EndpointEffect;
  /** Fault of the name of the parameter that carries the page; undefined = none. */
  paramFault?: (name: string) => string | undefined;
}

/** Settings that each type of paging requires. */
export const PAGING_NEEDS: Record<PaginationType, readonly string[]> = {
  page: ['param'],
  offset: ['param'],
  cursor: ['param', 'cursor_path'],
  keyset: ['keys'],
  link_header: [],
  next_url: ['next_path'],
};
const SPECIAL = ['param', 'cursor_path', 'next_path', 'keys'];
/** Keys that only numbered pages have. */
const NUMBERED = ['ends_with', 'total_path', 'more_path'];

export function readPagination(fields: Fields, rules: PagingRules): Pagination | undefined {
  const paging = fields.child('pagination');
  if (paging === undefined) {
    return undefined;
  }
  if (rules.effect !== 'none') {
    const message = 'An endpoint with an effect would repeat it for every page.';
    fields.report.add(fields.at('pagination'), 'invalid_value', message, {
      at: 'key',
      suggestion: 'A search that happens to be a POST declares `effect: none`.',
    });
  }
  const type = paging.choice('type', rules.types, { required: true });
  if (type === undefined) {
    // Stops here: the type decides which keys are allowed.
    return undefined;
  }
  const read = readShape(paging, type, rules);
  checkOwn(paging, type);
  paging.done();
  return read;
}

function readShape(paging: Fields, type: PaginationType, rules: PagingRules): Pagination {
  const place = paging.choice('in', rules.places) ?? rules.places[0] ?? 'query';
  const param = readParam(paging, 'param', place, rules);
  const sizeParam = readParam(paging, 'size_param', place, rules);
  const size = paging.integer('size', PAGE_SIZE);
  if (sizeParam !== undefined && size === undefined && !paging.has('size')) {
    paging.report.add(paging.at('size_param'), 'missing_field', '`size_param` needs `size`, the records of one page.');
  }
  const keys = readKeys(paging, place, rules);
  const cursorPath = readPath(paging, 'cursor_path');
  const nextPath = readPath(paging, 'next_path');
  const resultsPath = readPath(paging, 'results_path');
  const endsWith = readEnds(paging);
  const totalPath = readPath(paging, 'total_path');
  const morePath = readPath(paging, 'more_path');
  return {
    type,
    ...(param === undefined ? {} : { param }),
    in: place,
    start: paging.integer('start', PAGE_START) ?? (type === 'page' ? 1 : 0),
    ...(sizeParam === undefined ? {} : { size_param: sizeParam }),
    ...(size === undefined ? {} : { size }),
    ...(cursorPath === undefined ? {} : { cursor_path: cursorPath }),
    ...(nextPath === undefined ? {} : { next_path: nextPath }),
    ...(keys === undefined ? {} : { keys }),
    ...(endsWith === undefined ? {} : { ends_with: endsWith }),
    ...(totalPath === undefined ? {} : { total_path: totalPath }),
    ...(morePath === undefined ? {} : { more_path: morePath }),
    ...(resultsPath === undefined ? {} : { results_path: resultsPath }),
    max_pages: paging.integer('max_pages', MAX_PAGES),
    max_items: paging.integer('max_items', MAX_ITEMS),
    max_bytes: paging.integer('max_bytes', MAX_PAGE_BYTES),
    max_seconds: paging.integer('max_seconds', MAX_SECONDS),
  };
}

/** A page is short only in comparison with `size`. */
function readEnds(paging: Fields): EndSign[] | undefined {
  const signs = paging.choices('ends_with', END_SIGNS);
  if (signs?.includes('short_page') === true && !paging.has('size')) {
    paging.report.add(paging.at('ends_with'), 'missing_field', '`short_page` needs `size`, the records of one page.');
  }
  return signs;
}

function readParam(paging: Fields, key: string, place: PagingPlace, rules: PagingRules): string | undefined {
  const name = paging.text(key, place === 'header' ? { max: 100 } : PARAMETER_NAME);
  checkParam(paging, paging.at(key), { name, place, rules });
  return name;
}

function checkParam(
  paging: Fields,
  path: readonly (string | number)[],
  use: { name: string | undefined; place: PagingPlace; rules: PagingRules },
): void {
  const { name, place, rules } = use;
  if (name === undefined) {
    return;
  }
  const header = place === 'header' ? headerFault(name) : undefined;
  if (header !== undefined) {
    paging.report.add(path, 'invalid_header', header);
  }
  const fault = rules.paramFault?.(name);
  if (fault !== undefined) {
    paging.report.add(path, 'unknown_reference', fault);
  }
}

function readPath(paging: Fields, key: string): string | undefined {
  const path = paging.text(key);
  checkPath(paging, paging.at(key), path);
  return path;
}

function checkPath(paging: Fields, at: readonly (string | number)[], path: string | undefined): void {
  const fault = path === undefined ? undefined : checkDotPath(path);
  if (fault !== undefined) {
    paging.report.add(at, 'invalid_path', fault);
  }
}

/** keyset: parameter → path of its next value. */
function readKeys(paging: Fields, place: PagingPlace, rules: PagingRules): Record<string, string> | undefined {
  const keys = paging.textMap('keys');
  if (keys === undefined) {
    return undefined;
  }
  for (const [name, path] of Object.entries(keys)) {
    checkParam(paging, [...paging.at('keys'), name], { name, place, rules });
    checkPath(paging, [...paging.at('keys'), name], path);
  }
  if (Object.keys(keys).length === 0) {
    paging.report.add(paging.at('keys'), 'missing_field', '`keys` needs at least one parameter with its path.');
  }
  return safeRecord(Object.entries(keys));
}

function checkOwn(paging: Fields, type: PaginationType): void {
  const needs = PAGING_NEEDS[type];
  for (const name of needs.filter((needed) => !paging.has(needed))) {
    paging.report.add(paging.path, 'missing_field', `Pagination of type \`${type}\` needs \`${name}\`.`, {
      suggestion: `Add \`${name}:\` here.`,
    });
  }
  if (paging.has('total_path') && paging.has('more_path')) {
    paging.report.add(paging.at('more_path'), 'invalid_value', '`total_path` says it already; keep one.', {
      at: 'key',
    });
  }
  const foreign = needs.includes('param') && type !== 'cursor' ? [] : NUMBERED;
  const special = SPECIAL.filter((name) => !needs.includes(name));
  for (const name of [...special, ...foreign].filter((found) => paging.has(found))) {
    const message = `\`${name}\` has no meaning for pagination of type \`${type}\`.`;
    paging.report.add(paging.at(name), 'invalid_value', message, { at: 'key' });
  }
}

/** Answers of endpoints that change nothing alone may be cached. */
export function readCache(fields: Fields, effect: EndpointEffect): CachePolicy | undefined {
  const cache = fields.child('cache');
  if (cache === undefined) {
    return undefined;
  }
  if (effect !== 'none') {
    fields.report.add(fields.at('cache'), 'invalid_value', 'Answers of an endpoint with an effect are never kept.', {
      at: 'key',
    });
  }
  const policy = {
    ttl_seconds: cache.integer('ttl_seconds', TTL),
    stale_if_error_seconds: cache.integer('stale_if_error_seconds', STALE),
  };
  cache.done();
  return policy;
}
