import type { Fields } from '../fields';
import { safeRecord } from '../fields';
import { addressFault, headerFault } from '../http-names';
import { checkDotPath, readEndpointCommon } from '../mapping';
import type { PathCheck } from '../mapping';
import type { EndpointEffect, Method, RateLimit, RestConnection, RestEndpoint } from '../types';
import { METHODS } from '../types';
import { readAuth } from './rest-auth';
import { readParameters } from './rest-parameters';
import type { TypeReader } from './type-reader';

const RATE_KEYS = [
  'requests_per_second',
  'requests_per_minute',
  'requests_per_hour',
  'requests_per_day',
  'requests_per_month',
  'concurrency',
] as const;
const DEFAULT_TIMEOUT = 30;
const MAX_TIMEOUT = 600;

export const readRestApi: TypeReader = ({ common, top, connection, endpoints, checks }) => {
  if (connection === undefined) {
    top.report.add(top.at('connection'), 'missing_field', 'A rest_api connector needs `connection` with `base_url`.');
    return undefined;
  }
  const checkXpath: PathCheck = (path) => checks.xpath?.(path);
  return {
    ...common,
    type: 'rest_api',
    connection: readConnection(connection),
    endpoints: safeRecord(endpoints.map(({ name, fields }) => [name, readEndpoint(fields, checkXpath)])),
  };
};

function readConnection(fields: Fields): RestConnection {
  const baseUrl = readAddress(fields, true);
  const headers = readHeaders(fields);
  const auth = readAuth(fields.child('auth'));
  const timeout = fields.integer('timeout_seconds', 1, MAX_TIMEOUT) ?? DEFAULT_TIMEOUT;
  const rateLimit = readRateLimit(fields);
  fields.done();
  return {
    base_url: baseUrl ?? '',
    headers,
    auth,
    timeout_seconds: timeout,
    ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
  };
}

function readAddress(fields: Fields, required: boolean): string | undefined {
  const address = fields.text('base_url', { required });
  const fault = address === undefined ? undefined : addressFault(address);
  if (fault !== undefined) {
    fields.report.add(fields.at('base_url'), 'invalid_address', `\`base_url\` ${fault}.`);
    return undefined;
  }
  return address?.replace(/\/+$/, '');
}

function readHeaders(fields: Fields): Record<string, string> {
  const headers = fields.textMap('headers') ?? safeRecord<string>([]);
  for (const [name, value] of Object.entries(headers)) {
    const fault = headerFault(name, value);
    if (fault !== undefined) {
      fields.report.add([...fields.at('headers'), name], 'invalid_header', fault);
    } else if (/^(authorization|cookie|x-api-key)$/i.test(name)) {
      fields.report.add(
        [...fields.at('headers'), name],
        'secret_not_allowed',
        `\`${name}\` carries a secret; a definition never does.`,
        {
          suggestion: 'Use `auth` with `secret: {secret: NAME}`.',
        },
      );
    }
  }
  return headers;
}

function readRateLimit(fields: Fields): RateLimit | undefined {
  const limit = fields.child('rate_limit');
  if (limit === undefined) {
    return undefined;
  }
  const result: RateLimit = {};
  for (const key of RATE_KEYS) {
    const value = limit.integer(key, 1, 1_000_000_000);
    if (value !== undefined) {
      result[key] = value;
    }
  }
  limit.done();
  fields.report.add(
    fields.at('rate_limit'),
    'not_yet_active',
    '`rate_limit` is kept but not enforced by this version.',
    {
      severity: 'warning',
      at: 'key',
    },
  );
  return result;
}

function readEndpoint(fields: Fields, checkXpath: PathCheck): RestEndpoint {
  const method = fields.choice('method', METHODS) ?? 'GET';
  const baseUrl = readAddress(fields, false);
  const path = fields.text('path', {
    pattern: /^\/[^?#\s\\]*$/,
    hint: 'a path that begins with `/`, without query and fragment',
  });
  const parameters = readParameters(fields, method, path ?? '');
  const responseFormat = fields.choice('response_format', ['json', 'xml', 'csv', 'text'] as const) ?? 'json';
  const timeout = fields.integer('timeout_seconds', 1, MAX_TIMEOUT);
  const bodyFormat = fields.choice('body_format', ['json', 'form'] as const) ?? 'json';
  const effect = readEffect(fields, method);
  refuseLater(fields);
  const common = readEndpointCommon(fields, responseFormat === 'xml' ? checkXpath : checkDotPath);
  fields.done();
  return {
    ...common,
    method,
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    path: path ?? '',
    parameters,
    body_format: bodyFormat,
    response_format: responseFormat,
    effect,
    ...(timeout === undefined ? {} : { timeout_seconds: timeout }),
  };
}

/** GET, HEAD and OPTIONS change nothing, PUT and DELETE may be repeated, anything else may not, unless the author says so. */
function readEffect(fields: Fields, method: Method): EndpointEffect {
  const declared = fields.choice('effect', ['none', 'idempotent', 'keyed', 'unsafe'] as const);
  if (declared !== undefined) {
    return declared;
  }
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') {
    return 'none';
  }
  return method === 'PUT' || method === 'DELETE' ? 'idempotent' : 'unsafe';
}

/** Without its pages an answer would look complete and not be: refused, not ignored. */
function refuseLater(fields: Fields): void {
  if (fields.has('pagination')) {
    fields.report.add(
      fields.at('pagination'),
      'not_available',
      'Reading several pages is not available in this version.',
      {
        at: 'key',
        suggestion: 'Make the page a parameter and call the endpoint for each page.',
      },
    );
  }
  if (fields.has('cache')) {
    fields.report.add(fields.at('cache'), 'not_yet_active', '`cache` is not active in this version.', {
      at: 'key',
      severity: 'warning',
    });
  }
}
