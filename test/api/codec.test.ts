import { writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { encodeErrorToFailure, loadDataConverter } from '@temporalio/common/lib/internal-non-workflow';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { openKeys } from '../../infra/secrets/open-vault';
import { FAILURE_CONVERTER } from '../../infra/temporal/connection';
import { PayloadSeal } from '../../infra/temporal/payload-seal';
import { fromWire, toWire, type WirePayload } from '../../src/codec/wire';
import { af, type AfResult } from '../support/af';
import { TEST_MASTER_KEYS } from '../support/keys';
import { callApi, PREFIX, startApi, startRun, type TestApi } from './api-fixture';
import { newFolder } from '../support/run-folder';

const UI = 'http://127.0.0.1:8233';
const PATH = `${PREFIX}/codec/decode`;
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ env: { AF_TEMPORAL_UI_URL: `${UI}/` } });
});
afterAll(() => api.close());

async function sealed(runId: string, value: unknown): Promise<WirePayload> {
  const { ring } = openKeys({ home: '/nowhere', masterKeys: TEST_MASTER_KEYS, masterKeysFile: undefined });
  const payload = defaultPayloadConverter.toPayload<unknown>(value);
  const context = { type: 'workflow', namespace: 'default', workflowId: `run-${runId}` } as const;
  const [done] = await new PayloadSeal(ring, 32_768).encode([payload], context);
  return toWire(done as Payload);
}
/** The words of a failure, as Temporal Web finds them in a history. */
async function sealedFailure(runId: string): Promise<WirePayload> {
  const { ring } = openKeys({ home: '/nowhere', masterKeys: TEST_MASTER_KEYS, masterKeysFile: undefined });
  const failureConverterPath = FAILURE_CONVERTER;
  const converter = loadDataConverter({ failureConverterPath, payloadCodecs: [new PayloadSeal(ring, 32_768)] });
  const context = { type: 'workflow', namespace: 'default', workflowId: `run-${runId}` } as const;
  const failure = await encodeErrorToFailure(converter, new Error('canary'), context);
  return toWire(failure.encodedAttributes as Payload);
}
const textOf = (payload: unknown): string => Buffer.from((payload as WirePayload).data, 'base64').toString();

/** A run of the caller, and one of somebody else. */
async function twoOwners(): Promise<{ runId: string; foreign: string }> {
  const [runId, foreign, owner] = [await startRun(api), randomUUID(), randomUUID()];
  await api.admin.query('insert into users (id, handle, display_name) values ($1, $2, $2)', [owner, owner]);
  await api.admin.query(
    `insert into runs select (json_populate_record(r, json_build_object('id', $1::text, 'owner_id', $2::text))).* from runs r where id = $3`,
    [foreign, owner, runId],
  );
  return { runId, foreign };
}

describe('encoding', () => {
  const plain = (value: unknown): WirePayload => toWire(defaultPayloadConverter.toPayload<unknown>(value));

  it('seals what Temporal Web sends: any run opens it, and nobody reads it here', async () => {
    const runId = await startRun(api);
    const before = await sealed(runId, 'mine');
    const answer = await api.call('POST', '/codec/encode', { payloads: [plain({ decision: 'canary' }), before] });
    expect(answer.status).toBe(200);
    const [made, kept] = answer.body['payloads'] as WirePayload[];
    expect(kept).toEqual(before);
    expect(textOf(made)).not.toContain('canary');
    const { ring } = openKeys({ home: '/nowhere', masterKeys: TEST_MASTER_KEYS, masterKeysFile: undefined });
    const context = { type: 'workflow', namespace: 'default', workflowId: `run-${runId}` } as const;
    const [opened] = await new PayloadSeal(ring, 32_768).decode([fromWire(made as never, 0)], context);
    expect(defaultPayloadConverter.fromPayload(opened as Payload)).toEqual({ decision: 'canary' });
    const read = await api.call('POST', '/codec/decode', { payloads: [made] });
    expect(read.body['payloads']).toEqual([made]);
  });

  it('needs a credential, and takes no other origin', async () => {
    const body = { payloads: [plain('x')] };
    expect((await api.call('POST', '/codec/encode', body, { 'x-api-key': '' })).status).toBe(401);
    expect((await api.call('POST', '/codec/encode', body, { origin: 'http://127.0.0.1:1' })).status).toBe(403);
    const crossed = await api.call('POST', '/codec/encode', body, { origin: UI });
    expect(crossed.status).toBe(200);
  });
});

describe('the codec endpoint', () => {
  it('decodes payloads of runs that the caller may see, and no others', async () => {
    const { runId, foreign } = await twoOwners();
    const payloads = await Promise.all([runId, foreign, randomUUID()].map((id) => sealed(id, 'canary')));
    const answer = await api.call('POST', '/codec/decode', { payloads });
    expect(answer.status).toBe(200);
    const decoded = answer.body['payloads'] as WirePayload[];
    expect(textOf(decoded[0])).toBe('"canary"');
    expect(decoded[0]?.metadata['encoding']).toBe(Buffer.from('json/plain').toString('base64'));
    expect(decoded.slice(1)).toEqual(payloads.slice(1));
  });

  it('opens a payload of nothing at all: an activity without a result', async () => {
    const payloads = [await sealed(await startRun(api), undefined)];
    const { status, body } = await api.call('POST', '/codec/decode', { payloads });
    const encoding = Buffer.from('binary/null').toString('base64');
    expect([status, body['payloads']]).toEqual([200, [{ metadata: { encoding }, data: '' }]]);
  });

  it('tells what a failure says, where it happened, and only to whom the run belongs', async () => {
    const { runId, foreign } = await twoOwners();
    const payloads = await Promise.all([runId, foreign].map(sealedFailure));
    const { body } = await api.call('POST', '/codec/decode', { payloads });
    const [own, others] = body['payloads'] as WirePayload[];
    const words = JSON.parse(textOf(own)) as { message: string; stack_trace: string };
    expect(words).toEqual({ message: 'canary', stack_trace: expect.stringContaining('sealedFailure') });
    expect(others).toEqual(payloads[1]);
  });

  it.each([
    ['no list', {}, 'invalid_request'],
    ['a text', { payloads: ['x'] }, 'invalid_payload'],
    ['metadata that are no texts', { payloads: [{ metadata: { encoding: 1 } }] }, 'invalid_payload'],
    ['data that are no base64', { payloads: [{ metadata: {}, data: '%' }] }, 'invalid_payload'],
    ['too many', { payloads: Array.from({ length: 1_001 }, () => ({})) }, 'invalid_request'],
  ])('%s is refused', async (_what, body, code) => {
    const answer = await api.call('POST', '/codec/decode', body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });
});

interface PageCall {
  path: string;
  method: string;
  headers?: Record<string, string>;
  body?: string;
}
interface PageAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}
/** Sends a call as a browser does for a page of this origin: `fetch` cannot set that. */
function pageCall(origin: string, { path, method, headers, body }: PageCall): Promise<PageAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${api.url}${path}`, { method, headers: { origin, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function from(
  origin: string,
  method: string,
  path: string,
): Promise<{ status: number; origin: string | undefined }> {
  const asked = { 'content-type': 'application/json', 'access-control-request-method': 'POST', ...api.headers };
  const body = method === 'POST' ? '{"payloads":[]}' : undefined;
  const { status, headers } = await pageCall(origin, { path, method, headers: asked, ...(body && { body }) });
  return { status, origin: headers['access-control-allow-origin'] };
}

describe('calls from the page of Temporal Web', () => {
  it('decode and encode as its browser makes them: a preflight without a credential, then the cookie and the namespace', async () => {
    const payload = await sealed(await startRun(api), 'canary');
    const { body: link } = await api.call('POST', '/auth/sign-in-links');
    const path = new URL(String(link['url'])).pathname;
    const used = await callApi(api.url, { method: 'POST', path, body: { cookie: true } });
    const cookie = used.headers.get('set-cookie')?.split(';')[0] ?? '';
    const calls = async (what: string, payloads: readonly WirePayload[]): Promise<WirePayload[]> => {
      const asked = await pageCall(UI, {
        path: `${PREFIX}/codec/${what}`,
        method: 'OPTIONS',
        headers: {
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,x-namespace',
        },
      });
      expect([asked.status, asked.headers['access-control-allow-methods']]).toEqual([204, 'POST']);
      const names = String(asked.headers['access-control-allow-headers']).split(', ');
      expect(names).toEqual(expect.arrayContaining(['content-type', 'x-namespace']));
      const sent = await pageCall(UI, {
        path: `${PREFIX}/codec/${what}`,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-namespace': 'default', cookie },
        body: JSON.stringify({ payloads }),
      });
      for (const { headers: said } of [asked, sent]) {
        expect(said['access-control-allow-origin']).toBe(UI);
        expect(said['access-control-allow-credentials']).toBe('true');
      }
      expect([sent.status, sent.headers['content-type']]).toEqual([200, expect.stringContaining('application/json')]);
      return (JSON.parse(sent.text) as { payloads: WirePayload[] }).payloads;
    };
    expect(textOf((await calls('decode', [payload]))[0])).toBe('"canary"');
    const [made] = await calls('encode', [toWire(defaultPayloadConverter.toPayload<unknown>('canary'))]);
    expect(textOf(made)).not.toContain('canary');
  });

  it('may decode, and nothing else', async () => {
    expect(await from(UI, 'OPTIONS', PATH)).toEqual({ status: 204, origin: UI });
    expect(await from(UI, 'POST', PATH)).toEqual({ status: 200, origin: UI });
    expect(await from(UI, 'GET', `${PREFIX}/secrets`)).toEqual({ status: 403, origin: undefined });
    expect(await from(UI, 'OPTIONS', `${PREFIX}/secrets`)).toEqual({ status: 403, origin: undefined });
    expect(await from(UI, 'POST', `${PREFIX}/codec/decode/../../secrets`)).toMatchObject({ origin: undefined });
    expect(await from(UI, 'POST', `${PREFIX}/secrets?x=${PATH}`)).toEqual({ status: 403, origin: undefined });
  });

  it.each([
    'http://127.0.0.1:8234',
    'https://127.0.0.1:8233',
    'http://evil.test',
    'null',
    'http://127.0.0.1:8233.evil.test',
  ])('no other page may: %s', async (origin) => {
    expect(await from(origin, 'OPTIONS', PATH)).toEqual({ status: 403, origin: undefined });
    expect(await from(origin, 'POST', PATH)).toEqual({ status: 403, origin: undefined });
  });
});

describe('the export of decisions', () => {
  const said = ({ code, stdout, stderr }: AfResult) => ({ code, said: stdout + stderr });
  const exported = async (): Promise<string> =>
    (await fetch(`${api.url}${PREFIX}/decisions/export`, { headers: api.headers })).text();

  it('is verified offline by `af verify-decisions`, which fails on changes', async () => {
    const empty = await exported();
    expect(empty.trim().split('\n')).toHaveLength(2);
    for (let no = 0; no < 600; no += 1)
      await api.admin.query('select af_log_decision($1, $2)', [LOCAL_USER_ID, JSON.stringify({ no, text: 'ü"' })]);
    const text = await exported();
    const lines = text.trim().split('\n');
    // Start, 600 entries, the head of the empty chain and the newest one.
    expect(lines).toHaveLength(603);
    const file = join(newFolder('export'), 'decisions.jsonl');
    const check = async (content: readonly string[], ...options: string[]) => {
      writeFileSync(file, content.join('\n'));
      return said(await af(['verify-decisions', file, ...options]));
    };
    const whole = await check(lines);
    expect([whole.code, whole.said]).toEqual([0, expect.stringContaining('600 decisions, unbroken')]);
    const [, seen] = /Last: (\S+)/.exec(whole.said) ?? [];
    const [, key] = /Signed with (\S+)/.exec(whole.said) ?? [];
    expect((await check(lines, `--public-key=${key}`, '--seen', seen ?? '')).code).toBe(0);
    const changed = await check(lines.map((line, no) => (no === 300 ? line.replace('299', '298') : line)));
    expect([changed.code, changed.said]).toEqual([1, expect.stringMatching(/Line 301: Entry 300 .* changed/)]);
    const cut = await check([...lines.slice(0, 600), ...lines.slice(601)]);
    expect([cut.code, cut.said]).toEqual([1, expect.stringMatching(/ends at entry 599: entries were cut off/)]);
    // Cut back to a head that was signed before there were entries: valid as of then; a noted head says more.
    const back = [lines[0] ?? '', lines[601] ?? ''];
    expect((await check(back, '--seen', seen ?? '')).code).toBe(1);
    expect((await af(['verify-decisions', `${file}.none`])).code).toBe(2);
  });
});

describe('af secrets and af keys', () => {
  const run = (args: string[], input = '') => af(args, { env: { AF_URL: api.url, AF_API_KEY: api.key }, input });

  it('take the value from standard input, list names and give nothing away', async () => {
    const set = await run(['secrets', 'set', 'from_cli', '--hosts', 'api.example.org, *.example.net'], 'canary-cli\n');
    expect([set.code, set.stdout]).toEqual([0, 'Stored from_cli, for api.example.org, *.example.net.\n']);
    expect((await api.deps.security.vault.resolve(LOCAL_USER_ID, 'from_cli')).value).toBe('canary-cli');
    const rotated = await run(['secrets', 'rotate', 'from_cli'], 'canary-cli-2');
    expect([rotated.code, rotated.stdout]).toEqual([0, 'from_cli has a new value: version 2.\n']);
    expect((await run(['secrets', 'list'])).stdout).toMatch(
      /^from_cli {2}api\.example\.org, \*\.example\.net {2}\d{4}-/,
    );
    expect((await run(['secrets', 'set', 'from_cli', '--hosts', 'a.test'], 'again')).stderr).toMatch(/Rotate it/);
    expect((await run(['secrets', 'set', 'other', '--hosts', 'a.test'])).code).toBe(2);
    expect((await run(['secrets', 'set', 'other'], 'value')).code).toBe(2);
    expect((await run(['secrets', 'delete', 'from_cli'])).code).toBe(0);
    expect((await run(['secrets', 'list'])).stdout).toBe('There are no secrets.\n');
    expect((await run(['keys', 'rotate'])).stdout).toMatch(/under test now \(0 secrets were not\)/);
    expect((await run(['keys', 'list'])).stdout).toBe('test  current  0 secrets\n');
    expect((await run(['keys', 'retire', 'test'])).stderr).toMatch(/it is the current one/);
  });
});
