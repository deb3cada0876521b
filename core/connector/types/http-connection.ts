import { type Fields, safeRecord } from '../fields';
import { addressFault, carriesSecret, headerFault } from '../http-names';
import { CONCURRENCY, REQUESTS, TIMEOUT } from '../limits';
import type { HttpConnection, RateLimit } from '../types';
import { readAuth } from './auth';

export const RATE_KEYS = [
  'requests_per_second',
  'requests_per_minute',
  'requests_per_hour',
  'requests_per_day',
  'requests_per_month',
] as const;

/** Reads the fields of every connection over HTTP. `spellings`: other names of `base_url`. */
export function readHttpConnection(fields: Fields, ...spellings: string[]): HttpConnection {
  const baseUrl = readAddress(fields, { key: fields.spelling('base_url', ...spellings), required: true });
  const rateLimit = readRateLimit(fields);
  const connection = {
    base_url: baseUrl ?? '',
    headers: readHeaders(fields),
    auth: readAuth(fields.child('auth')),
    timeout_seconds: fields.integer('timeout_seconds', TIMEOUT),
    ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
  };
  fields.done();
  return connection;
}

/** An address without its trailing slashes. */
export function readAddress(fields: Fields, use: { key: string; required: boolean }): string | undefined {
  const address = fields.text(use.key, { required: use.required });
  const fault = address === undefined ? undefined : addressFault(address);
  if (fault !== undefined) {
    fields.report.add(fields.at(use.key), 'invalid_address', `\`${use.key}\` ${fault}.`);
    return undefined;
  }
  return address === undefined ? undefined : withoutSlashes(address);
}

function withoutSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') {
    end -= 1;
  }
  return address.slice(0, end);
}

export function readHeaders(fields: Fields): Record<string, string> {
  const headers = fields.textMap('headers') ?? safeRecord<string>([]);
  for (const [name, value] of Object.entries(headers)) {
    const path = [...fields.at('headers'), name];
    const fault = headerFault(name, value);
    if (fault !== undefined) {
      fields.report.add(path, 'invalid_header', fault);
    } else if (carriesSecret(name)) {
      const message = `\`${name}\` carries a secret; a definition never does.`;
      const suggestion = 'Use `auth` with `secret: {secret: NAME}`.';
      fields.report.add(path, 'secret_not_allowed', message, { suggestion });
    }
  }
  return headers;
}

export function readRateLimit(fields: Fields): RateLimit | undefined {
  const limit = fields.child('rate_limit');
  if (limit === undefined) {
    return undefined;
  }
  const result: RateLimit = {};
  for (const key of RATE_KEYS) {
    const value = limit.integer(key, REQUESTS);
    if (value !== undefined) {
      result[key] = value;
    }
  }
  const concurrency = limit.integer('concurrency', CONCURRENCY);
  limit.done();
  return concurrency === undefined ? result : { ...result, concurrency };
}
