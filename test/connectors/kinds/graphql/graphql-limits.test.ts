import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../../core/base/json';
import { limitIn } from '../../../../connectors/kinds/graphql/graphql-limits';

type Rules = Parameters<typeof limitIn>[1];
type Headers = Record<string, string>;
const READS: Rules = { effect: 'none', partial_data: 'accept' };
const github = { type: 'RATE_LIMITED', message: 'API rate limit exceeded for user ID 1.' };
const shopify = { message: 'Throttled', extensions: { code: 'THROTTLED' } };
const cost = (restoreRate: number) => ({
  cost: { requestedQueryCost: 752, actualQueryCost: null, throttleStatus: { currentlyAvailable: 652, restoreRate } },
});

const limit = (
  answer: Json | string,
  rules: Partial<Rules> = {},
  head: { status?: number; headers?: Headers } = {},
) => {
  const body = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer));
  const response = { status: 200, headers: {}, url: 'https://api.example/graphql', body, ...head };
  return limitIn(response, { ...READS, ...rules });
};

describe('a refusal for too many requests, as GraphQL servers say it', () => {
  it.each<[string, Json]>([
    ['GitHub', { errors: [github] }],
    ['GitHub, written anew', { errors: [{ type: 'RATE_LIMIT', code: 'graphql_rate_limit', message: 'm' }] }],
    ['Linear', { errors: [{ message: 'm', extensions: { code: 'RATELIMITED' } }] }],
    ['with data that is null', { data: null, errors: [github] }],
    ['with nothing but nulls', { data: { search: null, viewer: null }, errors: [github] }],
  ])('%s', (_name, answer) => {
    expect(limit(answer)).toEqual({});
    expect(limit(answer, { effect: 'keyed' })).toEqual({});
  });

  it('Shopify says when there is enough again', () => {
    expect(limit({ errors: [shopify], extensions: cost(50) })).toEqual({ waitMs: 2000 });
    expect(limit({ errors: [shopify], extensions: cost(0) })).toEqual({});
    expect(limit({ errors: [shopify], extensions: { cost: 'much' } })).toEqual({});
  });

  it.each<[string, Json | string]>([
    ['another error', { errors: [{ message: 'RATE_LIMITED is what I know' }] }],
    ['a record that speaks of it', { data: { note: 'THROTTLED' } }],
    ['data beside it, which the endpoint takes', { data: { search: [1] }, errors: [github] }],
    ['no JSON', '<p>RATE_LIMITED</p>'],
    ['no object', '["RATE_LIMITED"]'],
  ])('is not: %s', (_name, answer) => {
    expect(limit(answer)).toBeUndefined();
  });

  it('data beside it is none for an endpoint that refuses half an answer', () => {
    expect(limit({ data: { search: [1] }, errors: [github] }, { partial_data: 'refuse' })).toEqual({});
  });

  it('of an unsafe operation is one only where nothing of it was begun', () => {
    expect(limit({ errors: [github] }, { effect: 'unsafe' })).toEqual({});
    expect(limit({ data: null, errors: [github] }, { effect: 'unsafe' })).toBeUndefined();
    expect(
      limit({ data: { add: null }, errors: [github] }, { effect: 'unsafe', partial_data: 'refuse' }),
    ).toBeUndefined();
  });

  it.each<[number, Headers, object | undefined]>([
    [400, {}, {}],
    [408, {}, undefined],
    [500, {}, undefined],
    [502, { 'x-ratelimit-reset': '1' }, undefined],
    [503, {}, undefined],
    [503, { 'retry-after': '1' }, {}],
  ])('of an unsafe operation a %i %j is one only where the answer is no fault', (status, headers, said) => {
    const answer = { errors: [github] };
    expect(limit(answer, { effect: 'unsafe' }, { status, headers })).toEqual(said);
    expect(limit(answer, { effect: 'keyed' }, { status, headers })).toEqual({});
  });
});
