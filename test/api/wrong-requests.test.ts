import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { PREFIX, startApi, type Answer, type TestApi } from './api-fixture';
import { OPENAPI } from './conformance';
import { QUERIES } from './identity-objects';
import { anonymous, register, signIn, withKey, type Call, type Person } from './people';
import { placeFor, ROUTES, type Route } from './routes';
import type { Maker } from './walk-objects';

/** Every field of every body, those inside of other fields too, and every parameter is sent what it cannot be. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}
interface Field {
  route: Route;
  place: string[];
  schema: Schema;
  required: boolean;
}

const JSON_BODY = 'application/json';
const SCHEMAS = OPENAPI.components.schemas as unknown as Record<string, Schema>;

/** Bodies of another's form, which are taken apart by hand: only that nothing breaks is asked. */
const BY_HAND = ['POST /codec/decode', 'POST /codec/encode'];

function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (SCHEMAS[schema.$ref.split('/').pop() ?? ''] ?? {});
}

function takesNull(schema: Schema): boolean {
  const { type, anyOf = [], oneOf = [], $ref, properties } = schema;
  if (anyOf.length + oneOf.length > 0) return [...anyOf, ...oneOf].some(takesNull);
  if (type === undefined) return $ref === undefined && properties === undefined;
  return [type].flat().includes('null');
}

function fieldsOf(route: Route, schema: Schema, above: string[]): Field[] {
  const { properties = {}, required = [], items } = resolved(schema);
  if (items !== undefined) return fieldsOf(route, items, [...above, '0']);
  return Object.entries(properties).flatMap(([name, part]) => {
    const place = [...above, name];
    return [{ route, place, schema: part, required: required.includes(name) }, ...fieldsOf(route, part, place)];
  });
}

const FIELDS = ROUTES.flatMap((route) => {
  const schema = route.operation.requestBody?.content[JSON_BODY]?.schema;
  return schema === undefined ? [] : fieldsOf(route, schema, []);
});
const BODIES = ROUTES.filter((route) => FIELDS.some((field) => field.route === route));

/** The example with this value at the place; what lies above it is made where the example leaves it out. */
function bodyWith(route: Route, place: string[], value: unknown): unknown {
  const body: unknown = structuredClone(
    route.operation.requestBody?.content[JSON_BODY]?.examples?.['usual']?.value ?? {},
  );
  let at = body as Record<string, unknown>;
  place.slice(0, -1).forEach((part, index) => {
    if (typeof at[part] !== 'object') at[part] = place[index + 1] === '0' ? [{}] : {};
    at = at[part] as Record<string, unknown>;
  });
  at[place.at(-1) ?? ''] = value;
  return body;
}

let api: TestApi;
let owner: Person;
let maker: Maker;
let admin: Maker;
beforeAll(async () => {
  api = await startApi();
  owner = await register(api);
  maker = { api, ownerId: owner.id, call: await withKey(api, owner.id) };
  admin = { api, ownerId: LOCAL_USER_ID, call: await withKey(api, LOCAL_USER_ID) };
});
afterAll(() => api.close());

/** A caller who may, and a place that is there. */
async function asked(route: Route): Promise<(body: unknown) => ReturnType<Call>> {
  const by = route.access.startsWith('needs ') ? admin : maker;
  const open = route.access === 'public';
  const own = route.path.startsWith('/auth/') ? (await signIn(api, owner)).call : by.call;
  const call = open ? anonymous(api) : own;
  const path = open ? route.path.replace(/\{\w+\}/g, randomUUID()) : (await placeFor(route, by)).path;
  return (body) => call(route.method, path, body, { 'if-match': '*' });
}

/** Faults of an answer, by field. */
function saidOf({ problems = [] }: Answer['body']): Map<string, string> {
  return new Map(
    (problems as { field?: string; message?: string }[]).map((one) => [one.field ?? '', one.message ?? '']),
  );
}

describe('null in a body', () => {
  it('is looked for in every field, also inside of fields and lists', () => {
    const all = FIELDS.map(({ route, place }) => `${route.name} ${place.join('.')}`);
    expect(all).toEqual(
      expect.arrayContaining([
        'POST /api-keys objects',
        'POST /approvals/bulk items.0.edits',
        'PUT /profiles/{id}/connectors/{connectorId} permissions.allowed_endpoints',
      ]),
    );
    expect(all.length).toBeGreaterThan(150);
  });

  it.each(BODIES.map((route) => [route.name, route] as const))('%s', async (name, route) => {
    const send = await asked(route);
    const wrong: unknown[] = [];
    for (const { place, schema, required } of FIELDS.filter((field) => field.route === route)) {
      const { status, body } = await send(bodyWith(route, place, null));
      const field = place.join('.');
      const said = saidOf(body).get(field);
      const refused =
        status === 400 && /must not be null/.test(said ?? '') && (required || /leave it out/.test(said ?? ''));
      const right = BY_HAND.includes(name)
        ? status < 500
        : takesNull(schema)
          ? status < 500 && said === undefined
          : refused;
      if (!right) wrong.push({ field, status, code: body.code, said });
    }
    expect(wrong).toEqual([]);
  });

  it('makes no key without limits', async () => {
    const before = await api.admin.query('select count(*) as n from api_keys');
    for (const limit of ['objects', 'scopes', 'expires_at', 'read_only', 'may_decide']) {
      const { status, body } = await admin.call('POST', '/api-keys', { name: 'x', [limit]: null });
      expect({ status, fields: body.problems?.map(({ field }) => field) }).toEqual({ status: 400, fields: [limit] });
    }
    expect(await api.admin.query('select count(*) as n from api_keys')).toEqual(before);
  });

  it('clears what may be empty', async () => {
    const team = await maker.call('POST', '/teams', { name: 'Cleared', description: 'once' });
    const path = `/teams/${String(team.body.id)}`;
    const { status, body } = await maker.call('PUT', path, { description: null }, { 'if-match': '*' });
    expect({ status, description: body['description'] }).toEqual({ status: 200, description: undefined });
  });
});

describe('what has another form than its field', () => {
  const SHAPES: unknown[] = [[], [[null]], [{ toString: 1, length: -1 }], { toString: 1, valueOf: 1 }, '\ud800', -1.5];

  it.each(BODIES.map((route) => [route.name, route] as const))('breaks nothing: %s', async (_name, route) => {
    const send = await asked(route);
    const wrong: unknown[] = [];
    for (const { place } of FIELDS.filter((field) => field.route === route)) {
      for (const shape of SHAPES) {
        const { status, body } = await send(bodyWith(route, place, shape));
        if (status >= 500) wrong.push({ field: place.join('.'), shape, status, code: body.code, detail: body.detail });
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is named with its place in a list', async () => {
    for (const [items, message] of [
      [[[]], 'items.0 must be a JSON object'],
      [[[[]]], 'items.0 must be a JSON object'],
      [['x'], 'each element of items must be a JSON object'],
      [[null], 'items.0 must not be null'],
    ] as const) {
      const { status, body } = await maker.call('POST', '/approvals/bulk', { items });
      expect({ status, said: [...saidOf(body).values()] }).toEqual({
        status: 400,
        said: [message],
      });
    }
    const { status, body } = await maker.call('POST', '/profiles', { handle: 'h', name: 'n', knowledge_config: [] });
    expect({ status, said: [...saidOf(body).values()] }).toEqual({
      status: 400,
      said: ['knowledge_config must be a JSON object'],
    });
  });
});

describe('what no query means', () => {
  const parametersOf = ({ operation }: Route): string[] =>
    (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const ASKED = ROUTES.filter((route) => route.method === 'GET' && parametersOf(route).length > 0);
  const TEXTS = [
    '',
    '2024-W05-1',
    '2024-02-28T24:00:00Z',
    '9999-12-31T23:59:59-12:00',
    '-1',
    '1e400',
    '9'.repeat(30),
    '[null]',
    '\0',
  ];

  it.each(ASKED.map((route) => [route.name, route] as const))('breaks nothing: %s', async (_name, route) => {
    const by = route.access.startsWith('needs ') ? admin : maker;
    const { path, params } = await placeFor(route, by);
    const usual = new URLSearchParams((await QUERIES[route.name]?.(by, params)) ?? '');
    const wrong: unknown[] = [];
    for (const name of parametersOf(route)) {
      for (const text of TEXTS) {
        const query = new URLSearchParams(usual);
        query.set(name, text);
        const at = new AbortController();
        const { status } = await fetch(`${api.url}${PREFIX}${path}?${query}`, {
          headers: by.call.headers,
          signal: at.signal,
        });
        // A stream is only opened.
        at.abort();
        if (status >= 500) wrong.push({ name, text, status });
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is a time without its zone, of no calendar, or of no four digits', async () => {
    for (const path of ['/discoveries?from', '/discoveries/stats?before', '/runs?created_after']) {
      for (const time of [
        '2024-W05-1',
        '2024-02-28',
        '2024-02-28T10:00',
        '2024-02-30T10:00:00Z',
        '9999-12-31T23:59:59-12:00',
      ]) {
        const { status, body } = await maker.call('GET', `${path}=${encodeURIComponent(time)}`);
        expect({ path, time, status, code: body.code }).toEqual({ path, time, status: 400, code: 'invalid_request' });
      }
      expect((await maker.call('GET', `${path}=2024-02-28T10:00:00%2B02:00`)).status).toBe(200);
    }
  });
});
