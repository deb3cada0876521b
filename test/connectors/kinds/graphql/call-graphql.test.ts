import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../../core/errors/app-error';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import { refusalOf, shownErrors } from '../../../../connectors/kinds/graphql/graphql-errors';
import { sendJson, startHttpSource } from '../../../support/http-source';
import type { HttpSource } from '../../../support/http-source';
import { DATA_DIR, describeWithData } from '../../../support/data';
import { callGraph, errorOf, graphqlEndpoint, paging, parameter, results, SECRET } from '../../http-definitions';

let source: HttpSource;
/** Next answer of the source. */
let says: { status?: number; body: unknown };
beforeAll(async () => {
  source = await startHttpSource(({ body, headers }, response) => {
    if (says.body === 'echo') sendJson(response, { data: { sent: JSON.parse(body), headers } });
    else if (typeof says.body === 'function')
      sendJson(response, (says.body as (sent: JsonObject) => unknown)(JSON.parse(body)));
    else if (typeof says.body === 'string') response.writeHead(says.status ?? 200).end(says.body);
    else sendJson(response, says.body, says.status);
  });
});
afterAll(() => source.close());
beforeEach(() => void source.seen.splice(0));

const QUERY = 'query Q($name: String!, $first: Int, $after: String) { list(name: $name) { nodes { id } } }';
const endpoint = graphqlEndpoint({
  query: QUERY,
  parameters: [
    parameter('name', { in: 'body', required: true }),
    parameter('first', { in: 'body', type: 'integer', default: 10 }),
    parameter('after', { in: 'body' }),
    parameter('since', { in: 'body', type: 'date' }),
  ],
  response_mapping: results('data.list.nodes', { id: 'id' }),
});
const inputs = { name: 'x" } mutation { drop }' };

describe('an operation', () => {
  it('is sent as it is written; inputs travel as variables only', async () => {
    says = { body: 'echo' };
    const auth = { type: 'bearer_token' as const, secret: { secret: 'KEY' } };
    const plain = { ...endpoint, response_mapping: results('data') };
    const result = await callGraph(plain, { source, auth, inputs: { ...inputs, first: '5' } });
    const [request] = source.seen;
    expect(request).toMatchObject({ method: 'POST', url: '/graphql' });
    expect(JSON.parse(request!.body)).toEqual({ query: QUERY, variables: { name: inputs.name, first: 5 } });
    expect(request!.headers).toMatchObject({ 'content-type': 'application/json', authorization: `Bearer ${SECRET}` });
    expect(request!.headers['idempotency-key']).toBeUndefined();
    expect(JSON.stringify(result)).not.toContain('canary');
  });
  it('is checked before anything is sent', async () => {
    const error = await errorOf(callGraph(endpoint, { source, inputs: { first: 'many', other: 1 } }));
    expect(error).toMatchObject({ code: 'invalid_input' });
    expect(error.message).toMatch(/`name` is missing.*`first` must be of type integer.*`other` is no parameter/);
    expect(source.seen).toEqual([]);
  });
  it('that changes something is announced and carries the effect key', async () => {
    says = { body: { data: { add: { id: 1 } } } };
    const announced: string[] = [];
    const context = { beforeEffect: (target: object) => Promise.resolve(void announced.push(JSON.stringify(target))) };
    const mutation = graphqlEndpoint({ operation: 'mutation', effect: 'unsafe', query: 'mutation { add { id } }' });
    expect(await callGraph(mutation, { source, context })).toMatchObject({ results: [{ add: { id: 1 } }], count: 1 });
    expect(announced).toEqual([expect.stringContaining('wire.e: POST 127.0.0.1')]);
    expect(source.seen[0]!.headers['idempotency-key']).toBe('run/step');
    says = { status: 502, body: 'gateway' };
    expect(await errorOf(callGraph(mutation, { source, context }))).toMatchObject({ code: 'effect_outcome_unknown' });
  });
});

describe('a mutation that must not happen twice', () => {
  const mutation = graphqlEndpoint({
    operation: 'mutation',
    effect: 'unsafe',
    query: 'mutation { add { id } }',
    response_mapping: results('data.add'),
  });
  const error = { message: 'no' };
  const limit = { message: 'slow down', type: 'RATE_LIMITED' };
  it.each([
    ['errors alone', { errors: [error] }, 'graphql_error'],
    ['a limit and no data', { data: null, errors: [limit] }, 'rate_limited'],
    ['errors beside data', { data: { add: { id: 1 } }, errors: [error] }, 'effect_outcome_unknown'],
    ['a limit beside data', { data: { add: { id: 1 } }, errors: [limit] }, 'effect_outcome_unknown'],
    ['errors beside data without the results', { data: { add: null }, errors: [error] }, 'effect_outcome_unknown'],
    ['nothing at results_path', { data: {} }, 'effect_outcome_unknown'],
    ['neither data nor errors', { data: null }, 'effect_outcome_unknown'],
    ['a web page', '<html>', 'effect_outcome_unknown'],
  ])('and is answered with %s is not repeated', async (_name, body, code) => {
    says = { body };
    expect(await errorOf(callGraph(mutation, { source }))).toMatchObject({ code, retryable: false });
  });
  it.each([500, 502, 503])(
    'and is answered with a %i that speaks of a limit has an unknown outcome',
    async (status) => {
      says = { status, body: { errors: [limit] } };
      expect(await errorOf(callGraph(mutation, { source }))).toMatchObject({ code: 'effect_outcome_unknown' });
    },
  );
  it('and is answered with data beside errors is done where the endpoint accepts them', async () => {
    says = { body: { data: { add: { id: 1 } }, errors: [error] } };
    expect(await callGraph({ ...mutation, partial_data: 'accept' }, { source })).toMatchObject({ count: 1 });
  });
  it('differs from one that may: there a limit is worth a repeat', async () => {
    says = { body: { data: null, errors: [limit] } };
    const error = await errorOf(callGraph({ ...mutation, effect: 'keyed' }, { source }));
    expect(error).toMatchObject({ code: 'rate_limited', retryable: true });
  });
});

describe('an answer', () => {
  const nodes = [{ id: 1 }, { id: 2 }];
  const failed = { message: `no access with ${SECRET}`, path: ['list', 0, 'owner'] };
  const auth = { type: 'bearer_token' as const, secret: { secret: 'KEY' } };
  const call = (partial: 'accept' | 'refuse') =>
    callGraph({ ...endpoint, partial_data: partial }, { source, auth, inputs });

  it('is mapped from its results_path', async () => {
    says = { body: { data: { list: { nodes } } } };
    expect(await call('refuse')).toEqual({ results: nodes, count: 2, status: 200 });
    says = { body: { data: { list: { nodes: [] } }, errors: [] } };
    expect(await call('refuse')).toEqual({ results: [], count: 0, status: 200 });
  });
  it('with data beside errors is taken with them, or refused', async () => {
    says = { body: { data: { list: { nodes } }, errors: [failed] } };
    expect(await call('accept')).toEqual({
      results: nodes,
      count: 2,
      status: 200,
      errors: [{ message: 'no access with [masked]', path: 'list.0.owner' }],
    });
    expect(await errorOf(call('refuse'))).toMatchObject({
      code: 'graphql_error',
      message: expect.stringContaining('no access with [masked]'),
      details: { status: 200, errors: [{ path: 'list.0.owner' }] },
    });
  });
  const noData = (errors: unknown[]) => ({ data: null, errors });
  it.each([
    ['errors alone', 200, { errors: [{ message: 'bad' }] }, 'graphql_error'],
    ['data null', 200, noData([{ message: 'bad' }]), 'graphql_error'],
    ['data without the results', 200, { data: { list: null }, errors: [failed] }, 'graphql_error'],
    ['errors that are no objects', 200, { errors: ['odd', 1, null] }, 'graphql_error'],
    ['a refused operation', 400, { errors: [{ message: 'Cannot query field' }] }, 'graphql_error'],
    ['a limit', 200, { errors: [{ type: 'RATE_LIMITED', message: 'slow down' }] }, 'rate_limited'],
    ['no login', 200, { errors: [{ message: 'x', extensions: { code: 'UNAUTHENTICATED' } }] }, 'auth_failed'],
    ['neither data nor errors', 200, { message: 'hello' }, 'bad_response'],
    ['data null without errors', 200, { data: null }, 'bad_response'],
    ['no results and no errors', 200, { data: { list: null } }, 'bad_response'],
    ['a list', 200, [1], 'bad_response'],
    ['a web page', 200, '<html>', 'bad_response'],
    ['nothing', 200, '', 'bad_response'],
    ['401', 401, { message: 'Bad credentials' }, 'auth_failed'],
    ['400 without errors', 400, 'no', 'upstream_rejected'],
    ['503', 503, { errors: [{ message: 'down' }] }, 'upstream_unavailable'],
  ])('with %s is %s', async (_name, status, body, code) => {
    says = { status, body };
    for (const partial of ['accept', 'refuse'] as const) {
      const error = await errorOf(call(partial));
      expect(error).toMatchObject({ code });
      expect(`${error.message} ${JSON.stringify(error.details)}`).not.toContain('canary');
    }
  });
});

describe('an answer that refuses in its body', () => {
  it.each([
    ['UNAUTHENTICATED', 'everything'],
    ['FORBIDDEN', 'endpoint'],
  ])('%s: %s', (code, reach) => {
    const details = { errors: shownErrors([{ message: 'no', extensions: { code } }]) };
    expect(refusalOf(new AppError('auth_failed', 'no', { category: 'upstream', details }))).toBe(reach);
  });
});

describe('pages', () => {
  const page = { type: 'cursor' as const, in: 'body' as const, param: 'after', size_param: 'first', size: 2 };
  it('of a connection end with hasNextPage, though there is a cursor', async () => {
    says = {
      body: ({ variables }: JsonObject) => {
        const at = Number((variables as JsonObject)['after'] ?? 0);
        const pageInfo = { endCursor: String(at + 2), hasNextPage: at < 4 };
        return { data: { list: { nodes: [{ id: at }, { id: at + 1 }], pageInfo } } };
      },
    };
    const pagination = paging({ ...page, cursor_path: 'data.list.pageInfo.endCursor' });
    const result = await callGraph({ ...endpoint, pagination }, { source, inputs: { name: 'x' } });
    expect(result).toMatchObject({ count: 6, pages: 3, stopped_by: 'end', truncated: false });
    expect(source.seen.map(({ body }) => (JSON.parse(body) as JsonObject)['variables'])).toEqual([
      { name: 'x', first: 2 },
      { name: 'x', first: 2, after: '2' },
      { name: 'x', first: 2, after: '4' },
    ]);
  });
  it('keep the errors that came beside their data', async () => {
    says = {
      body: ({ variables }: JsonObject) => {
        const at = Number((variables as JsonObject)['after'] ?? 0);
        return {
          data: { list: { nodes: [{ id: at }], next: at < 1 ? '1' : null } },
          errors: [{ message: `of ${at}` }],
        };
      },
    };
    const pagination = paging({ ...page, cursor_path: 'data.list.next' });
    const accepting = { ...endpoint, pagination, partial_data: 'accept' as const };
    expect(await callGraph(accepting, { source, inputs: { name: 'x' } })).toMatchObject({
      count: 2,
      errors: [{ message: 'of 0' }, { message: 'of 1' }],
    });
  });
});

describeWithData('github-graphql', 'a recorded answer of GitHub', () => {
  it('gives its rows', async () => {
    says = { body: readFileSync(join(DATA_DIR, 'github-graphql/search_repositories_dev.json'), 'utf8') };
    const recorded = graphqlEndpoint({
      response_mapping: results('data.search.edges', { name: 'node.name', stars: 'node.stargazerCount' }),
      pagination: paging({
        type: 'cursor',
        param: 'after',
        cursor_path: 'data.search.pageInfo.endCursor',
        max_pages: 1,
      }),
    });
    const result = await callGraph(recorded, { source });
    expect(result).toMatchObject({ count: 5, pages: 1, stopped_by: 'max_pages', truncated: true });
    expect((result['results'] as JsonObject[])[0]).toEqual({ name: 'ludwig', stars: 7224 });
  });
});
