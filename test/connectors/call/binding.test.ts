import { describe, expect, it } from '@jest/globals';
import type { RestConnector } from '../../../core/connector/types';
import { boundDefinition, boundSecretName, overrideFaults } from '../../../connectors/call/binding';
import { readConnector } from '../../../connectors/definition/read-connector';

const definition = readConnector(`
id: c
type: rest_api
connection:
  base_url: https://api.example.org/v1
  timeout_seconds: 30
  auth: {type: api_key, in: query, key_param: key, secret: {secret: named}}
  rate_limit: {requests_per_second: 5, requests_per_day: 100}
endpoints:
  one: {path: /one}
  two: {path: /two, base_url: https://files.example.org}
`).definition as RestConnector;
const bound = (config_overrides: object, permissions: object = {}) =>
  boundDefinition(definition, { config_overrides, permissions, credentials: {} } as Parameters<
    typeof boundDefinition
  >[1]);

describe('a binding', () => {
  it('without anything leaves the definition as it is', () => {
    expect(bound({})).toEqual(definition);
  });

  it('gives other addresses, and those of endpoints by name alone', () => {
    const base_url = 'http://127.0.0.1:8080/';
    expect(bound({ base_url })).toMatchObject({
      connection: { base_url: 'http://127.0.0.1:8080', auth: definition.connection.auth },
      endpoints: { two: { base_url: 'https://files.example.org' } },
    });
    const both = bound({ base_url, endpoint_base_urls: { two: 'http://127.0.0.1:8081' }, timeout_seconds: 3 });
    expect(both).toMatchObject({
      connection: { timeout_seconds: 3 },
      endpoints: { one: definition.endpoints['one'], two: { base_url: 'http://127.0.0.1:8081' } },
    });
  });

  it.each([
    [2, 2],
    [50, 5],
  ])('narrows the rate limit: %s becomes %s', (rate_limit_override, requests_per_second) => {
    expect(bound({}, { rate_limit_override })).toMatchObject({
      connection: { rate_limit: { requests_per_second, requests_per_day: 100 } },
    });
  });

  it.each([
    [{ base_url: 'ftp://example.org' }, /`base_url` must be an absolute http/],
    [{ base_url: 7 }, /`base_url` must be a text/],
    [{ token_url: 'https://u:p@example.org' }, /`token_url` must not contain a user name/],
    [{ endpoint_base_urls: { one: '//x' } }, /`endpoint_base_urls.one` must be/],
    [{ timeout_seconds: 0 }, /`timeout_seconds` must be a number from 1 to 600/],
  ])('with %j says what is wrong', (overrides, message) => {
    expect(overrideFaults(overrides).join()).toMatch(message);
    expect(() => bound(overrides)).toThrow(expect.objectContaining({ code: 'invalid_binding' }));
  });

  it.each([
    [{}, 'named'],
    [{ named: { secret: 'a' }, api_key: { secret: 'b' } }, 'a'],
    [{ secret: { secret: 'c' } }, 'c'],
    [{ api_key: { secret: 'd' } }, 'd'],
  ])('with credentials %j sends %s', (credentials, name) => {
    expect(boundSecretName(definition, 'named', credentials)).toBe(name);
  });

  it('whose credentials are for another kind of auth is refused with the names that fit', () => {
    expect(() => boundSecretName(definition, 'named', { password: { secret: 'x' } })).toThrow(
      /one of secret, api_key, key/,
    );
  });
});
