import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { sharedTemporal } from '../support/temporal';
import { PREFIX, startApi, type Answer, type TestApi } from './api-fixture';
import { OPENAPI } from './conformance';
import { BODIES, BODY_IDS, EXPECTED, OF_NOBODY, OPEN, QUERIES, TEXT, TO_ANOTHER } from './identity-objects';
import { anonymous, register, signIn, withKey, type Call, type Person } from './people';
import { parametersOf, placeFor, ROUTES, type Place, type Route } from './routes';
import type { Maker } from './walk-objects';

const SCHEMAS = OPENAPI.components.schemas as Record<string, unknown>;
const CLOSED = ROUTES.filter(({ access }) => access !== 'public');

/** `executions` is another name for runs, which the document does not show: the same rules hold there. */
const asExecution = (path: string): string => path.replace(/^\/runs(?=\/|$)/, '/executions');
const itself = (path: string): string => path;
const WALK = [
  ...CLOSED.map((route) => [route.name, route, itself] as const),
  ...CLOSED.filter(({ path }) => asExecution(path) !== path).map(
    (route) => [`${route.method} ${asExecution(route.path)}`, route, asExecution] as const,
  ),
];

let api: TestApi;
let owner: Person;
let stranger: Person;
let admin: Maker;
let readOnly: { owner: Call; admin: Call };
let unlimited: { owner: Call; admin: Call };
beforeAll(async () => {
  const { address } = await sharedTemporal();
  api = await startApi({ env: { TEMPORAL_ADDRESS: address, AF_QUEUE_PREFIX: `walk-${process.pid}-` } });
  owner = await register(api);
  stranger = await register(api);
  unlimited = { owner: await withKey(api, owner.id), admin: await withKey(api, LOCAL_USER_ID) };
  readOnly = {
    owner: await withKey(api, owner.id, { read_only: true }),
    admin: await withKey(api, LOCAL_USER_ID, { read_only: true }),
  };
  admin = { api, ownerId: LOCAL_USER_ID, call: unlimited.admin };
});
afterAll(() => api.close());

const isWrite = (method: string): boolean => method !== 'GET';
const outcome = ({ status, body }: Answer): { status: unknown; code: unknown } => ({ status, code: body.code });

async function send(route: Route, { path, params }: Place, call: Call, maker: Maker): Promise<Answer> {
  const headers: Record<string, string> = isWrite(route.method) ? { 'if-match': '*' } : {};
  if (route.operation.requestBody?.content['application/octet-stream'] !== undefined) {
    return upload(path, call, headers);
  }
  const body = BODIES[route.name];
  const needsBody = route.operation.requestBody?.required === true;
  if (body === undefined && needsBody) throw new Error(`${route.name}: add its body to identity-objects.ts`);
  if (route.path.endsWith('/events')) return stream(path, call);
  if (TEXT.includes(route.name)) return text(path, call);
  const query = (await QUERIES[route.name]?.(maker, params)) ?? '';
  return call(route.method, path + query, await body?.(maker, params), headers);
}

/** An answer that is no JSON where it succeeds. */
async function text(path: string, call: Call): Promise<Answer> {
  const response = await fetch(api.url + PREFIX + path, { headers: call.headers });
  const said = await response.text();
  const body = response.ok ? {} : (JSON.parse(said) as Answer['body']);
  return { status: response.status, headers: response.headers, body };
}

/** A stream is only opened. */
async function stream(path: string, call: Call): Promise<Answer> {
  const at = new AbortController();
  const response = await fetch(api.url + PREFIX + path, { headers: call.headers, signal: at.signal });
  const text = response.status === 200 ? '{}' : await response.text();
  at.abort();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as Answer['body'] };
}

async function upload(path: string, call: Call, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(`${api.url}${PREFIX}${path}?name=walk-${Date.now()}.txt`, {
    method: 'POST',
    headers: { ...call.headers, ...headers, 'content-type': 'application/octet-stream' },
    body: 'text',
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

describe('every route', () => {
  it('says who may call it', () => {
    expect(ROUTES.filter(({ access }) => !/^(public|signed|decides|needs \S+)$/.test(access))).toEqual([]);
    expect(CLOSED.length).toBeGreaterThan(40);
  });

  it('that acts on a request for a decision is for means that may decide', () => {
    const acts = ROUTES.filter(({ path, method }) => /^\/(links\/)?approvals\b/.test(path) && isWrite(method));
    const loose = acts.filter(({ access }) => access !== 'decides').map(({ name }) => name);
    // A look at edits and a comment decide nothing; the link alone decides where the playbook says so.
    expect(loose).toEqual([
      'POST /approvals/{approvalId}/check',
      'POST /approvals/{approvalId}/comment',
      'POST /links/approvals/{token}',
    ]);
  });

  it('that is open to anybody is one of these', () => {
    const open = ROUTES.filter(({ access }) => access === 'public').map(({ name }) => name);
    expect(open.toSorted()).toEqual(Object.keys(OPEN).toSorted());
  });
});

describe.each(WALK)('%s', (_name, route, called) => {
  const needs = route.access.startsWith('needs ');
  const mayBe = async (): Promise<{ maker: Maker; call: Call; readOnly: Call }> => {
    if (needs) return { maker: admin, call: unlimited.admin, readOnly: readOnly.admin };
    // Sessions change passwords and end; keys do neither.
    const call = route.path.startsWith('/auth/') ? (await signIn(api, owner)).call : unlimited.owner;
    return { maker: { api, ownerId: owner.id, call: unlimited.owner }, call, readOnly: readOnly.owner };
  };

  it('is closed to whoever shows nothing, another, or too little, and open to its owner', async () => {
    const { maker, call, readOnly: reader } = await mayBe();
    const { path, params } = await placeFor(route, maker);
    const place = { path: called(path), params };
    const nobody = await send(route, place, anonymous(api), maker);
    expect(outcome(nobody)).toEqual({ status: 401, code: 'unauthenticated' });
    expect(nobody.headers.get('www-authenticate')).toMatch(/^Bearer/);

    if (needs) {
      const lesser = await send(route, place, unlimited.owner, maker);
      expect(outcome(lesser)).toEqual({ status: 403, code: 'scope_missing' });
    } else if (parametersOf(route.path).some(({ key }) => !OF_NOBODY.includes(key))) {
      const { status, code } = TO_ANOTHER[route.name] ?? { status: 404, code: expect.stringMatching(/_not_found$/) };
      expect(outcome(await send(route, place, stranger.call, maker))).toEqual({ status, code });
    }
    if (isWrite(route.method)) {
      expect(outcome(await send(route, place, reader, maker))).toEqual({ status: 403, code: 'key_read_only' });
    }
    if (route.access === 'decides') {
      const undecided = await withKey(api, owner.id, { may_decide: false });
      expect(outcome(await send(route, place, undecided, maker))).toEqual({ status: 403, code: 'key_may_not_decide' });
    }

    const expected = EXPECTED[route.name];
    const { status, body } = await send(route, place, call, maker);
    if (expected === undefined) expect({ ok: status < 300, status, body }).toMatchObject({ ok: true });
    else expect({ status, body }).toMatchObject({ status: expected.status });
  });
});

describe('ids in bodies', () => {
  const fields = [...bodySchemas()].flatMap((name) => referencesOf(name, SCHEMAS[name]));

  it('are looked for in nested bodies too, and none of the list is gone', () => {
    expect(fields).toEqual(expect.arrayContaining(['BulkDecisionDto.approvalId', 'DelegateApprovalDto.to']));
    expect(Object.keys(BODY_IDS).filter((field) => !fields.includes(field))).toEqual([]);
  });

  it.each(fields)('%s: one of another’s is as good as none', async (field) => {
    const known = BODY_IDS[field];
    if (known === undefined) throw new Error(`add ${field} to BODY_IDS of identity-objects.ts`);
    if (typeof known === 'string') return;
    const maker = { api, ownerId: owner.id, call: unlimited.owner };
    const foreign = await known.foreign({ api, ownerId: stranger.id, call: stranger.call }, {});
    const route = ROUTES.find(({ name }) => name === known.route);
    if (route === undefined) throw new Error(`${field} names ${known.route}, which is no route`);
    const { path, params } = await placeFor(route, maker);
    const body = {
      ...((await BODIES[known.route]?.(maker, params)) as object),
      ...((await known.beside?.(maker, params)) as object),
    };
    const naming = known.naming ?? ((whole, id) => ({ ...whole, [field.split('.')[1] ?? '']: id }));
    const ask = async (sent: object): Promise<{ status: unknown; code: unknown }> => {
      const answer = await unlimited.owner(route.method, path, sent, { 'if-match': '*' });
      if (known.each === undefined) return outcome(answer);
      expect(answer.status).toBe(200);
      const [item] = answer.body.items ?? [];
      return { status: item?.['status'], code: item?.['code'] };
    };
    expect(await ask(naming(body, foreign))).toEqual({
      status: known.status,
      code: expect.stringMatching(/_not_found$/),
    });
    const own = known.each === undefined ? body : naming(body, await known.foreign(maker, {}));
    const { status, code } = await ask(own);
    expect({ ok: Number(status) < 300, status, code }).toMatchObject({ ok: true });
  });
});

/** Names of the schemas of bodies, and of what these are made of. */
function bodySchemas(): Set<string> {
  const found = new Set<string>();
  const look = (schema: unknown): void => {
    for (const [, name = ''] of (JSON.stringify(schema) ?? '').matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      look(SCHEMAS[name]);
    }
  };
  for (const { operation } of ROUTES) look(operation.requestBody);
  return found;
}

/** References of a schema and of the objects written out in it. */
function referencesOf(name: string, schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const { properties = {} } = schema as { properties?: Record<string, { format?: string }> };
  const here = Object.entries(properties).flatMap(([field, property]) =>
    isReference(field, property) ? [`${name}.${field}`] : [],
  );
  return [...here, ...Object.values(schema).flatMap((part: unknown) => referencesOf(name, part))];
}

/** True by the field's name or format; the id of a decision is chosen by its caller. */
function isReference(name: string, property: { format?: string; items?: { format?: string } }): boolean {
  if (name === 'decisionId') return false;
  const isUuid = property.format === 'uuid' || property.items?.format === 'uuid';
  return (
    isUuid ||
    /(_id|_ids|[a-z]Id|[a-z]Ids)$/.test(name) ||
    ['playbook', 'version', 'connector', 'skill_reference', 'user', 'to'].includes(name)
  );
}
