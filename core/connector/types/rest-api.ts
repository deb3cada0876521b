import type { Fields } from '../fields';
import { safeRecord } from '../fields';
import { TIMEOUT } from '../limits';
import { type CommonRules, JSON_RULES, readEndpointCommon } from '../mapping';
import { checkColumn, checkDotPath, type PathCheck } from '../mapping-path';
import { canSendNull } from '../null-meaning';
import { listForm } from '../place-fault';
import { PAGINATION_TYPES, type PaginationType } from '../paging-types';
import { URL_PATH } from '../patterns';
import type { EndpointEffect, Method, ParameterPlace, ResponseFormat, RestEndpoint, TextFormat } from '../types';
import { ARRAY_FORMATS, BODY_FORMATS, ENDPOINT_EFFECTS, METHODS, RESPONSE_FORMATS } from '../types';
import { readAddress, readHttpConnection } from './http-connection';
import { readCache, readPagination, type PagingPlace } from './paging';
import { readPathParameters } from './rest-parameters';
import { readTextFormat, TEXT_FORMAT } from './text-format';
import type { TypeReader } from './type-reader';

export const readRestApi: TypeReader = ({ common, top, connection, endpoints, checks }) => {
  if (connection === undefined) {
    top.report.add(top.at('connection'), 'missing_field', 'A rest_api connector needs `connection` with `base_url`.');
    return undefined;
  }
  const checkXpath: PathCheck = (path) => checks.xpath?.(path);
  return {
    ...common,
    type: 'rest_api',
    connection: readHttpConnection(connection),
    endpoints: safeRecord(endpoints.map(({ name, fields }) => [name, readEndpoint(fields, checkXpath)])),
  };
};

function readEndpoint(fields: Fields, checkXpath: PathCheck): RestEndpoint {
  const method = fields.choice('method', METHODS) ?? 'GET';
  const baseUrl = readAddress(fields, { key: 'base_url', required: false });
  const path = fields.text('path', URL_PATH) ?? '';
  const bodyFormat = fields.choice('body_format', BODY_FORMATS) ?? 'json';
  const arrayFormat = fields.choice('array_format', ARRAY_FORMATS);
  const formats = { body_format: bodyFormat, ...(arrayFormat === undefined ? {} : { array_format: arrayFormat }) };
  const parameters = readPathParameters(fields, path, {
    places: placesOf(method),
    fallback: fallbackPlace(method),
    canSendNull: (place) => canSendNull('rest_api', formats, { in: place }),
    listForm: (place) => listForm('rest_api', formats, { in: place }),
  });
  const responseFormat = fields.choice('response_format', RESPONSE_FORMATS) ?? 'json';
  const textFormat = readAnswerFormat(fields, responseFormat);
  const timeout = fields.integer('timeout_seconds', { min: TIMEOUT.min, max: TIMEOUT.max });
  const effect = readEffect(fields, method);
  const paging = readPagination(fields, {
    types: pagingTypes(responseFormat),
    places: pagingPlaces(method),
    effect,
  });
  const cache = readCache(fields, effect);
  const common = readEndpointCommon(fields, mappingRules(responseFormat, checkXpath));
  fields.done();
  return {
    ...common,
    method,
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    path,
    parameters,
    body_format: bodyFormat,
    response_format: responseFormat,
    effect,
    ...(textFormat === undefined ? {} : { text_format: textFormat }),
    ...(timeout === undefined ? {} : { timeout_seconds: timeout }),
    ...(arrayFormat === undefined ? {} : { array_format: arrayFormat }),
    ...(paging === undefined ? {} : { pagination: paging }),
    ...(cache === undefined ? {} : { cache }),
  };
}

/** An answer in JSON is UTF-8; only rows have a delimiter, a header and lines before it. */
function readAnswerFormat(fields: Fields, format: ResponseFormat): TextFormat | undefined {
  const written = TEXT_FORMAT.filter((key) => fields.has(key));
  for (const key of written.filter((name) => format !== 'csv' && (name !== 'encoding' || format === 'json'))) {
    const formats = key === 'encoding' ? 'csv, xml and text' : 'csv';
    const message = `\`${key}\` has no meaning for a ${format} answer, only for ${formats}.`;
    fields.report.add(fields.at(key), 'invalid_value', message, { at: 'key' });
  }
  return written.length === 0 ? undefined : readTextFormat(fields);
}

const WITH_BODY: readonly Method[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

function placesOf(method: Method): readonly ParameterPlace[] {
  return WITH_BODY.includes(method) ? ['path', 'query', 'header', 'body'] : ['path', 'query', 'header'];
}

function fallbackPlace(method: Method): ParameterPlace {
  return method === 'POST' || method === 'PUT' || method === 'PATCH' ? 'body' : 'query';
}

function pagingPlaces(method: Method): readonly PagingPlace[] {
  return WITH_BODY.includes(method) ? ['query', 'body', 'header'] : ['query', 'header'];
}

/** A cursor or an address is read from JSON. */
function pagingTypes(format: ResponseFormat): readonly PaginationType[] {
  return format === 'json' ? PAGINATION_TYPES : ['page', 'offset', 'link_header'];
}

function mappingRules(format: ResponseFormat, checkXpath: PathCheck): CommonRules {
  switch (format) {
    case 'xml':
      return { checkPath: checkXpath, checkResults: checkXpath };
    case 'json':
      return JSON_RULES;
    default:
      return { checkPath: checkColumn, checkResults: checkDotPath };
  }
}

/** GET, HEAD and OPTIONS change nothing, PUT and DELETE may be repeated, anything else may not, unless the author says so. */
function readEffect(fields: Fields, method: Method): EndpointEffect {
  const declared = fields.choice('effect', ENDPOINT_EFFECTS);
  if (declared !== undefined) {
    return declared;
  }
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') {
    return 'none';
  }
  return method === 'PUT' || method === 'DELETE' ? 'idempotent' : 'unsafe';
}
