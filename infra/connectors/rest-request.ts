import type { Json, JsonObject } from '../../core/base/json';
import { ownField } from '../../core/base/json';
import { valueFault } from '../../core/connector/types/rest-parameters';
import type { Parameter, RestConnection, RestEndpoint } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { convertJson } from './files/convert';

export interface BuiltRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  secretHeaders: string[];
  body?: string;
}

/** The request of one call from its inputs. Throws `invalid_input` with every input that does not fit. */
export function buildRequest(
  connection: RestConnection,
  endpoint: RestEndpoint,
  inputs: JsonObject,
  secret: string | undefined,
): BuiltRequest {
  const values = boundValues(endpoint, inputs);
  const url = new URL(addressOf(connection, endpoint, values));
  const headers: Record<string, string> = { accept: ACCEPT[endpoint.response_format], ...connection.headers };
  const body = new Map<string, Json>();
  for (const [parameter, value] of values) {
    if (parameter.in === 'query') {
      addQuery(url, parameter.name, value);
    } else if (parameter.in === 'header') {
      headers[parameter.name] = textOf(value);
    } else if (parameter.in === 'body') {
      body.set(parameter.name, value);
    }
  }
  const secretHeaders = addAuth(connection, { url, headers }, secret);
  const payload = bodyOf(endpoint, body, headers);
  return {
    method: endpoint.method,
    url: url.href,
    headers,
    secretHeaders,
    ...(payload === undefined ? {} : { body: payload }),
  };
}

const ACCEPT = {
  json: 'application/json',
  xml: 'application/xml, text/xml;q=0.9',
  csv: 'text/csv, text/plain;q=0.9',
  text: 'text/plain, */*;q=0.8',
};

/** Declared parameters that have a value, in order of declaration. */
function boundValues(endpoint: RestEndpoint, inputs: JsonObject): Map<Parameter, Json> {
  const values = new Map<Parameter, Json>();
  const faults: string[] = [];
  for (const parameter of endpoint.parameters) {
    const value = ownField(inputs, parameter.name) ?? parameter.default;
    if (value === undefined || value === null) {
      if (parameter.required) {
        faults.push(`\`${parameter.name}\` is missing`);
      }
      continue;
    }
    // Numbers written as text, and the reverse, are what playbooks carry between steps.
    const converted = convertJson(value, parameter.type) ?? value;
    const fault = valueFault(converted, parameter.type, parameter.enum) ?? placeFault(parameter, converted);
    if (fault === undefined) {
      values.set(parameter, converted);
    } else {
      faults.push(`\`${parameter.name}\` ${fault}`);
    }
  }
  const known = endpoint.parameters.map((parameter) => parameter.name);
  faults.push(
    ...Object.keys(inputs)
      .filter((name) => !known.includes(name))
      .map((name) => `\`${name}\` is no parameter of this endpoint`),
  );
  if (faults.length > 0) {
    throw new AppError('invalid_input', `${faults.join('; ')}. Parameters: ${known.join(', ') || 'none'}.`, {
      category: 'bad_request',
    });
  }
  return values;
}

/** A path segment is one segment: what would change the path is refused, everything else is encoded once. */
function placeFault(parameter: Parameter, value: Json): string | undefined {
  if (parameter.in === 'path') {
    const text = textOf(value);
    return text === '' || text === '.' || text === '..' || text.includes('\0')
      ? 'cannot be a part of a path'
      : undefined;
  }
  if (parameter.in === 'header') {
    return /^[\t\x20-\x7e\x80-\xff]*$/.test(textOf(value))
      ? undefined
      : 'contains characters that a header cannot carry';
  }
  return undefined;
}

function addressOf(connection: RestConnection, endpoint: RestEndpoint, values: Map<Parameter, Json>): string {
  const segments = new Map(
    [...values]
      .filter(([parameter]) => parameter.in === 'path')
      .map(([parameter, value]) => [parameter.name, encodeURIComponent(textOf(value))]),
  );
  const path = endpoint.path.replace(/\{([^{}]*)\}/g, (whole, name: string) => segments.get(name) ?? whole);
  return `${endpoint.base_url ?? connection.base_url}${path}`;
}

/** A list repeats its name. */
function addQuery(url: URL, name: string, value: Json): void {
  for (const item of Array.isArray(value) ? value : [value]) {
    url.searchParams.append(name, textOf(item));
  }
}

function addAuth(
  connection: RestConnection,
  request: { url: URL; headers: Record<string, string> },
  secret: string | undefined,
): string[] {
  const { auth } = connection;
  if (secret === undefined || (auth.type !== 'api_key' && auth.type !== 'bearer_token')) {
    return [];
  }
  if (auth.type === 'bearer_token') {
    request.headers['authorization'] = `Bearer ${secret}`;
    return ['authorization'];
  }
  if (auth.in === 'query') {
    request.url.searchParams.set(auth.key_param, secret);
    return [];
  }
  request.headers[auth.key_param] = secret;
  return [auth.key_param];
}

function bodyOf(endpoint: RestEndpoint, body: Map<string, Json>, headers: Record<string, string>): string | undefined {
  if (body.size === 0) {
    return undefined;
  }
  if (endpoint.body_format === 'json') {
    headers['content-type'] = 'application/json';
    return JSON.stringify(Object.fromEntries(body));
  }
  headers['content-type'] = 'application/x-www-form-urlencoded';
  const form = new URLSearchParams();
  for (const [name, value] of body) {
    for (const item of Array.isArray(value) ? value : [value]) {
      form.append(name, textOf(item));
    }
  }
  return form.toString();
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
