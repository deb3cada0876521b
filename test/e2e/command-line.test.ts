import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startApiOf, type TestApi } from '../api/api-fixture';
import { waitUntil } from '../../infra/embedded/process';
import { af, type AfResult } from '../support/af';
import { playbook } from '../support/fault-texts';
import { startInProcess, type InProcess } from '../support/in-process';
import { newFolder } from '../support/run-folder';

const ECHO = playbook(
  'echo-ein',
  [
    '{name: kept, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, params: {operations: [{type: sort, field: size}]}}',
  ],
  'inputs: [{name: ein, type: string}, {name: at_least, type: number, default: 1}, {name: what, type: any}, {name: rows, type: any, required: true}]\n',
);

const CONNECTOR =
  'id: by-shape\nname: By shape\ntype: rest_api\nconnection: {base_url: "https://api.example.org"}\nendpoints:\n  records: {path: /list, response_mapping: {fields: {id: id}}}\n';

const folder = newFolder('command-line');
let product: InProcess;
let api: TestApi;
beforeAll(async () => {
  product = await startInProcess();
  api = await startApiOf(product);
  expect((await api.call('POST', '/playbooks', { source: ECHO })).status).toBe(201);
  expect((await api.call('POST', '/connectors', { source: CONNECTOR })).status).toBe(201);
  const secret = { name: 'api-key', value: 'not a secret', allowed_hosts: ['*'] };
  expect((await api.call('POST', '/secrets', secret)).status).toBe(201);
});
afterAll(async () => {
  await api?.close();
  await product?.close();
});

const env = () => ({ AF_URL: api.url, AF_API_KEY: api.key, AF_HOME: folder });
const said = (...args: string[]): Promise<AfResult> => af(args, { env: env() });

function file(name: string, text: string): string {
  const place = path.join(folder, name);
  writeFileSync(place, text);
  return place;
}

async function started(...inputs: string[]): Promise<string> {
  const pairs = inputs.flatMap((pair) => ['--input', pair]);
  const { stdout, stderr, code } = await said('run', 'echo-ein', ...pairs, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return (JSON.parse(stdout) as { runId: string }).runId;
}

describe('inputs on the command line', () => {
  it('are of the type that the playbook declares, and numbers are sent as they are written', async () => {
    const run = await started('ein=200253310', 'at_least=50000', 'what=[1, "a"]', 'rows=[]');
    const { body } = await api.call('GET', `/runs/${run}`);
    expect(body['inputs']).toEqual({ ein: '200253310', at_least: 50000, what: [1, 'a'], rows: [] });
    const misspelled = await said('run', 'echo-ein', '--input', 'at_last=5', '--input', 'rows=[]');
    expect(misspelled).toMatchObject({ code: 2, stdout: '' });
    expect(misspelled.stderr).toContain('Did you mean `at_least`?');
  });
});

describe('names that nothing has', () => {
  it.each([
    [['run', 'echo-eim'], 'There is no playbook "echo-eim". Did you mean "echo-ein"?'],
    [['connectors', 'test', 'by-shap', 'records'], 'Did you mean "by-shape"?'],
    [['connectors', 'test', 'by-shape', 'record'], 'Did you mean `records`?'],
    [['secrets', 'delete', 'api-kee'], 'Did you mean "api-key"?'],
    [['rnu', 'echo-ein'], '(Did you mean run?)'],
    [['runs', '--stats', 'complete'], '(Did you mean --status?)'],
    [['connectors', 'tset', 'a', 'b'], '(Did you mean test?)'],
    [['runs', 'xyz'], '"xyz" is no id of a run'],
    [['runs', '00000000'], 'None of the latest runs has an id that begins with 00000000.'],
  ])('af %j says what was meant', async (args, sentence) => {
    const { code, stdout, stderr } = await said(...args);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: expect.stringContaining(sentence) });
    expect(code).not.toBe(0);
  });

  it('the beginning of an id is enough for a run', async () => {
    const run = await started('rows=[]');
    expect((await said('runs', run.slice(0, 8))).stdout).toContain(`run: ${run}`);
  });
});

describe('af save and af validate', () => {
  it('tell a connector from a playbook by its shape, and name what is neither', async () => {
    const connector = file('connector.yaml', CONNECTOR);
    expect(await said('validate', connector)).toMatchObject({ code: 0 });
    const saved = await said('save', connector);
    expect(saved).toMatchObject({ code: 0, stdout: expect.stringContaining('The connector by-shape is saved') });
    const again = await said('save', file('playbook.yaml', ECHO));
    expect(again.stdout).toContain('The playbook echo-ein is saved as version 1. Run it: npm run af -- run echo-ein');
    const profile = await said('save', 'catalog/profiles/nonprofit-investigator.yaml');
    expect(profile).toMatchObject({ code: 2, stderr: expect.stringContaining('describes an agent profile') });
    const neither = await said('save', file('neither.yaml', 'id: what\nname: What\n'));
    expect(neither).toMatchObject({ code: 2, stderr: expect.stringContaining('it has the fields id, name') });
    const broken = await said('save', file('broken.yaml', 'id: x\nname: "open\nendpoints:\n  a: {}\n'));
    expect(broken.code).toBe(2);
    expect(broken.stderr).toMatch(/\d+:\d+ error /);
  });
});

describe('a run that is not whole', () => {
  it('says at its end, and when it is shown, which steps failed and why', async () => {
    const followed = await said('run', 'echo-ein', '--input', 'rows=no list', '--follow');
    expect(followed.code).toBe(1);
    const end = followed.stdout.slice(followed.stdout.lastIndexOf('  kept '));
    expect(end).toMatch(/^ {2}kept failed: \w+: .+\nrun: \S+\nstatus: (partial|failed)/);
    const runId = /^run: (\S+)$/m.exec(end)?.[1] ?? '';
    expect((await said('runs', runId)).stdout).toMatch(/kept: \w+.*: \w+/);
  });
});

describe('who reads only the beginning', () => {
  it('ends the command quietly', async () => {
    for (let at = 0; at < 3; at++) await started('rows=[]');
    const hook = path.resolve(__dirname, '../support/ts-hook.cjs');
    const main = path.resolve(__dirname, '../../cli/main.ts');
    const child = spawn(process.execPath, ['-r', hook, main, 'run', 'echo-ein', '--input', 'rows=[]', '--follow'], {
      env: { PATH: process.env.PATH, ...env() },
    });
    let complaints = '';
    child.stderr.on('data', (text) => (complaints += String(text)));
    child.stdout.once('data', () => child.stdout.destroy());
    await waitUntil(() => child.exitCode !== null, { what: 'the end of the command', timeoutMs: 60_000 });
    expect({ code: child.exitCode, complaints }).toEqual({ code: 0, complaints: '' });
  });
});
