import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { read, utils } from '@e965/xlsx';
import { temporal } from '@temporalio/proto';
import { readLocalKey } from '../../infra/embedded/local-key-file';
import { Redactor } from '../../infra/secrets/redactor';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { canaryInTables } from '../support/ledger';
import { startStack, type Stack } from '../support/stack';

/** Secret with characters that JSON, URLs and base64 each write differently. */
const CANARY = 'canary-hunt/4f"+&= ~5b';
/** Personal data in a source's refusal: no secret of ours, but not for Temporal. */
const PERSON = 'Wilhelmina4f5b Quast, born 1974';
/** Marker that is not secret: a place without it was not searched. */
const OPEN = 'openmark4f5b';

/** Markdown escapes the brackets. */
const MASKED = /\[masked\\?\]/;

const CONNECTOR = (url: string): string => `
id: echo
name: Echo
type: rest_api
version: "1.0"
connection:
  base_url: ${url}
  auth: {type: bearer_token, secret: {secret: HUNTED}}
endpoints:
  ok: {path: /ok, parameters: [{name: q, type: string}], output_schema: {type: object, fields: [{name: authorization, type: any}, {name: base64, type: any}, {name: url, type: any}, {name: config, type: any}]}}
  refused: {path: /refused, output_schema: {type: object, fields: [{name: x, type: any}]}}
  broken: {path: /broken, output_schema: {type: object, fields: [{name: x, type: any}]}}
`;
const PLAYBOOK = `
id: hunt
name: Hunt ${OPEN}
steps:
  - {name: ok, step_type: tool, action: call_connector, connector: echo, endpoint: ok, inputs: {q: ${OPEN}}}
  - {name: refused, step_type: tool, action: call_connector, connector: echo, endpoint: refused, on_error: skip}
  - name: kept
    step_type: tool
    action: route_output
    inputs: {data: [{mark: ${OPEN}, authorization: "{ok.authorization}", base64: "{ok.base64}", url: "{ok.url}", config: "{ok.config}"}]}
    params:
      title: Hunted
      destinations:
        - {type: file_export, format: csv}
        - {type: file_export, format: xlsx}
        - {type: document, format: markdown}
        - {type: document, format: json}
        - {type: data_workspace_table, config: {table_name: hunted}}
  - {name: gate, step_type: approval, prompt: "go on with {ok.authorization}?"}
  - {name: broken, step_type: tool, action: call_connector, connector: echo, endpoint: broken, on_error: skip}
`;

const PEOPLE = (url: string): string => `
id: people
name: People
type: graphql
version: "1.0"
connection: {endpoint: ${url}/graphql}
endpoints:
  find: {query: "{ person { name } }", response_mapping: {results_path: person}, output_schema: {type: object, fields: [{name: name, type: any}]}}
`;
const REFUSED = `
id: refused
name: Refused
steps:
  - {name: find, step_type: tool, action: call_connector, connector: people, endpoint: find, on_error: stop}
`;
const ASKS = `
id: asks
name: Asks
steps:
  - {name: sub, action: run_playbook, playbook: refused, on_error: stop}
`;

let source: HttpSource;
let stack: Stack;
let runId: string;
/** Failed with the words of its source, as a sub-playbook. */
let refusedId: string;
const mask = new Redactor([CANARY]).text;
const holds = (text: string): boolean => mask(text) !== text;

beforeAll(async () => {
  source = await startHttpSource((request, response) => {
    const authorization = request.headers.authorization ?? '';
    const echo = {
      authorization,
      [authorization]: 'as a key',
      base64: Buffer.from(authorization).toString('base64'),
      url: `https://x.test/?k=${encodeURIComponent(authorization)}`,
      config: { headers: { Authorization: authorization } },
    };
    response.setHeader('x-echo', authorization);
    if (request.url.startsWith('/refused')) response.statusCode = 401;
    if (request.url.startsWith('/graphql')) sendJson(response, { errors: [{ message: `no access for ${PERSON}` }] });
    else if (request.url.startsWith('/broken')) response.writeHead(200).end(`<html>${authorization}`);
    else sendJson(response, echo);
  });
  stack = await startStack({ egress: [`127.0.0.1:${source.port}`] });
  const { api } = stack;
  await api.must('POST', '/secrets', { name: 'HUNTED', value: CANARY, allowed_hosts: [`127.0.0.1:${source.port}`] });
  await api.must('POST', '/connectors', { source: CONNECTOR(source.url) });
  await api.must('POST', '/connectors', { source: PEOPLE(source.url) });
  for (const text of [PLAYBOOK, REFUSED, ASKS]) await api.must('POST', '/playbooks', { source: text });
  runId = (await api.must<{ runId: string }>('POST', '/runs', { playbook: 'hunt', query: OPEN })).runId;
  await api.decide(await api.approval(runId), 'approve', { instructions: OPEN });
  await api.until(runId, (run) => run.status === 'partial', 'the end');
  const asks = await api.startRun('asks');
  expect((await api.done(asks)).status).toBe('failed');
  const below = await stack.admin.query<{ id: string }>('select id from runs where parent_run_id = $1', [asks]);
  refusedId = below[0]?.id ?? '';
});
afterAll(async () => {
  await stack?.close();
  await source?.close();
});

/** Content of a file, undefined for a folder and for a file that a running server has removed since it was listed. */
function contentOf(file: string): string | undefined {
  try {
    return lstatSync(file).isFile() ? readFileSync(file, 'latin1') : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Files below `folder` that hold it, and those that hold the open mark. */
function search(folder: string, isIn = holds): { secret: string[]; open: string[] } {
  const found = { secret: [] as string[], open: [] as string[] };
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const text = contentOf(path.join(folder, name));
    if (text === undefined) continue;
    if (isIn(text)) found.secret.push(name);
    if (text.includes(OPEN)) found.open.push(name);
  }
  return found;
}

interface Kept {
  routing_report: {
    status: string;
    details: { document_id?: string; export_path?: string; workspace_id?: string };
  }[];
}

/** Text as a reader sees it: the cells of a packed workbook, other files as they are. */
function textOf(bytes: Buffer): string {
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK') return bytes.toString('utf8');
  const { Sheets } = read(bytes);
  return JSON.stringify(Object.values(Sheets).map((sheet) => utils.sheet_to_json(sheet, { header: 1 })));
}

function filesOfTemporal(): string[] {
  const command = readFileSync(`/proc/${stack.temporal.pid()}/cmdline`, 'utf8').split('\0');
  const file = command[command.indexOf('--db-filename') + 1] ?? '';
  const files = readdirSync(path.dirname(file)).filter((name) => name.startsWith(path.basename(file)));
  return files.map((name) => readFileSync(path.join(path.dirname(file), name), 'latin1'));
}

describe('K01, K02: a secret whose peer echoes it', () => {
  it('reached the peer, so that there is something to find', () => {
    const asked = source.seen.filter((request) => request.url !== '/graphql');
    expect(asked.map((request) => request.headers.authorization)).toEqual([
      `Bearer ${CANARY}`,
      `Bearer ${CANARY}`,
      `Bearer ${CANARY}`,
    ]);
    expect(holds(`a ${encodeURIComponent(CANARY)} b`)).toBe(true);
  });

  it('is masked in what the API answers: run, steps, approvals, events, journal, exports', async () => {
    const approvals = await stack.api.must<{ items: { approvalId: string }[] }>('GET', `/approvals?run=${runId}`);
    const paths = [
      `/runs/${runId}`,
      `/runs?limit=10`,
      `/runs/${runId}/steps`,
      ...['ok', 'refused', 'broken'].map((step) => `/runs/${runId}/tries?step_path=${step}`),
      `/runs/${runId}/outputs/ok`,
      `/approvals?run=${runId}`,
      `/approvals/${approvals.items[0]?.approvalId}`,
      '/journal',
      '/connectors/echo',
      '/secrets',
      '/keys',
    ];
    for (const at of [...paths, '/decisions/export', `/runs/${runId}/events`]) {
      const response = await fetch(`${stack.api.url}/api/agent-factory${at}`, { headers: stack.api.headers });
      const text = await response.text();
      expect([at, response.status, holds(text)]).toEqual([at, 200, false]);
      if (at === `/runs/${runId}`) expect(text).toContain('[masked]');
      if (at.endsWith('/events')) expect(text).toContain('step.');
    }
  });

  it('is masked in what the run wrote: files, documents and a table, as they are downloaded', async () => {
    const kept = await stack.api.must<Kept>('GET', `/runs/${runId}/outputs/kept`);
    expect(kept.routing_report.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'success'));
    const [csv, xlsx, markdown, json, table] = kept.routing_report.map(({ details }) => details);
    const documents = [csv, xlsx, markdown, json].map((details) => `/documents/${details?.document_id}/download`);
    const exported = `/workspaces/${table?.workspace_id}/tables/hunted/export`;
    for (const at of [...documents, `${exported}?format=csv`, `${exported}?format=json`]) {
      const response = await fetch(`${stack.api.url}/api/agent-factory${at}`, { headers: stack.api.headers });
      const text = textOf(Buffer.from(await response.arrayBuffer()));
      expect([at, response.status, holds(text)]).toEqual([at, 200, false]);
      expect([at, text.includes(OPEN), MASKED.test(text)]).toEqual([at, true, true]);
    }
    for (const details of [csv, xlsx]) {
      const text = textOf(readFileSync(details?.export_path ?? ''));
      expect([text.includes(OPEN), MASKED.test(text), holds(text)]).toEqual([true, true, false]);
    }
  });

  it('is in no history', async () => {
    const history = await stack.client.workflow.getHandle(`run-${runId}`).fetchHistory();
    const bytes = Buffer.from(temporal.api.history.v1.History.encode(history).finish()).toString('latin1');
    expect(bytes).toContain('binary/af-sealed');
    expect([holds(bytes), bytes.includes(OPEN)]).toEqual([false, false]);
  });

  it('is in no table: a copy of every one', async () => {
    expect(await canaryInTables(stack, holds)).toEqual([]);
    expect(await canaryInTables(stack, (text) => text.includes(OPEN))).toContain('table public.runs');
  });

  it('is in no file of the home, the logs among them', () => {
    expect(stack.logs()).not.toBe('');
    expect(search(stack.home).secret).toEqual([]);
  });

  it('is in no file of PostgreSQL after a checkpoint, heap and write-ahead log', async () => {
    await stack.admin.query('checkpoint');
    const { secret, open } = search(stack.postgres.dataDir);
    expect(secret).toEqual([]);
    expect(open.some((name) => name.startsWith('base/'))).toBe(true);
    expect(open.some((name) => name.startsWith('pg_wal/'))).toBe(true);
  });

  it("is in no file of Temporal, nor is anything else of the run's content", () => {
    const texts = filesOfTemporal();
    expect(texts.some((text) => text.includes(`run-${runId}`))).toBe(true);
    expect(texts.filter(holds)).toEqual([]);
    expect(texts.filter((text) => text.includes(OPEN))).toEqual([]);
  });

  it('is in the environment and arguments of no process of ours', () => {
    for (const { pid } of [stack.apiProcess, ...stack.workers]) {
      expect(holds(readFileSync(`/proc/${pid}/environ`, 'latin1'))).toBe(false);
      expect(holds(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))).toBe(false);
    }
    expect(holds(execFileSync('ps', ['-ef'], { encoding: 'latin1' }))).toBe(false);
  });
});

describe('what a source says of a person when it refuses', () => {
  it('is the message of the run that failed by it, in our tables', async () => {
    const run = await stack.api.must<{ code: string; message: string }>('GET', `/runs/${refusedId}`);
    expect([run.code, run.message]).toEqual(['graphql_error', expect.stringContaining(PERSON)]);
    expect(await canaryInTables(stack, (text) => text.includes(PERSON))).toContain('table public.runs');
  });

  it('is in no file of Temporal; that the run failed, and its code, are', () => {
    const texts = filesOfTemporal();
    expect(texts.some((text) => text.includes(`run-${refusedId}`))).toBe(true);
    expect(texts.some((text) => text.includes('graphql_error'))).toBe(true);
    expect(texts.filter((text) => text.includes('Wilhelmina4f5b'))).toEqual([]);
  });
});

describe('the key of the first administrator', () => {
  it('is in local.key, and nowhere else', async () => {
    const key = readLocalKey(stack.home) ?? '';
    expect(key).toMatch(/^afk_/);
    const masked = new Redactor([key]).text;
    const isIn = (text: string): boolean => masked(text) !== text;
    expect(search(stack.home, isIn).secret).toEqual(['local.key']);
    expect(search(stack.postgres.dataDir, isIn).secret).toEqual([]);
    expect(await canaryInTables(stack, isIn)).toEqual([]);
    for (const { pid } of [stack.apiProcess, ...stack.workers]) {
      expect(isIn(readFileSync(`/proc/${pid}/environ`, 'latin1'))).toBe(false);
    }
  });
});
