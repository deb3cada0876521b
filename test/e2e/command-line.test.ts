import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { waitUntil } from '../../infra/embedded/process';
import { GATE, playbook } from '../support/fault-texts';
import { afBench, type AfBench } from './af-bench';

const ECHO = playbook(
  'echo-ein',
  [
    '{name: kept, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, params: {operations: [{type: sort, field: size}]}}',
  ],
  'inputs: [{name: ein, type: string}, {name: at_least, type: number, default: 1}, {name: what, type: any}, {name: rows, type: any, required: true}]\n',
);

const CONNECTOR =
  'id: by-shape\nname: By shape\ntype: rest_api\nconnection: {base_url: "https://api.example.org"}\nendpoints:\n  records: {path: /list, response_mapping: {fields: {id: id}}}\n  one: {path: /one, parameters: [{name: ein}, {name: n, type: integer}], response_mapping: {fields: {id: id}}}\n';

let bench: AfBench;
beforeAll(async () => {
  bench = await afBench();
  const { api } = bench;
  expect((await api.call('POST', '/playbooks', { source: ECHO })).status).toBe(201);
  expect((await api.call('POST', '/connectors', { source: CONNECTOR })).status).toBe(201);
  const secret = { name: 'api-key', value: 'not a secret', allowed_hosts: ['*'] };
  expect((await api.call('POST', '/secrets', secret)).status).toBe(201);
});
afterAll(() => bench?.close());

const said: AfBench['said'] = (...args) => bench.said(...args);
const file: AfBench['file'] = (name, text) => bench.file(name, text);
const started = (...inputs: string[]): Promise<string> => bench.started('echo-ein', ...inputs);

describe('inputs on the command line', () => {
  it('are of the type that the playbook declares, and numbers are sent as they are written', async () => {
    const run = await started('ein=200253310', 'at_least=50000', 'what=[1, "a"]', 'rows=[]');
    const { body } = await bench.api.call('GET', `/runs/${run}`);
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
    [['runs', '--playbook', 'echo-eim'], 'There is no playbook "echo-eim". Did you mean "echo-ein"?'],
    [['list', 'playbooks', '--connector', 'by-shap'], 'Did you mean "by-shape"?'],
    [['documents', '--run', '00000000-0000-4000-8000-000000000000'], 'There is no run'],
    [['approvals', '--run', '00000000-0000-4000-8000-000000000000'], 'There is no run'],
    [['approvals', '00000000'], 'None of the latest approvals has an id that begins with 00000000.'],
    [['test-step', 'echo-ein', 'kept', '--input', 'rows=[]', '--result', 'kpet=[]'], 'Did you mean "kept"?'],
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

describe('inputs of one step', () => {
  const reads = playbook(
    'reads-one',
    [
      '{name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "{ein}"}}',
      '{name: read, step_type: tool, action: call_connector, connector: by-shape, endpoint: one, inputs: {ein: "{ein}", n: 1}}',
    ],
    'inputs: [{name: ein, type: string}]\n',
  );

  beforeAll(() => bench.save('reads-one', reads));

  it('af test-step takes them as the playbook declares them', async () => {
    const { stdout } = await said('test-step', 'reads-one', 'note', '--input', 'ein=007', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ steps: [{ inputs: { summary: '007' } }] });
  });

  it('af retry takes them as the endpoint declares them', async () => {
    const { stdout } = await said('run', 'reads-one', '--input', 'ein=1', '--follow');
    const first = /^run: (\S+)$/m.exec(stdout)?.[1] ?? '';
    const tried = async (...more: string[]): Promise<unknown> => {
      const again = await said('retry', first, ...more, '--input', 'ein=200253310', '--input', 'n=5', '--follow');
      expect(again.stderr).toBe('');
      const second = /^run: (\S+)$/m.exec(again.stdout)?.[1] ?? '';
      const { body } = await bench.api.call('GET', `/runs/${second}/tries?step_path=read`);
      return (body['items'] as { input?: unknown }[])[0]?.input;
    };
    const sent = { inputs: { ein: '200253310', n: 5 } };
    expect(await tried('--from-step', 'read')).toMatchObject(sent);
    expect(await tried()).toMatchObject(sent);
  });
});

describe('lists', () => {
  it('say that there are more, and give all', async () => {
    for (let at = 0; at < 2; at++) await started('rows=[]');
    const { stdout } = await said('runs', '--playbook', 'echo-ein', '--limit', '1');
    expect(stdout).toMatch(/\nThere are more than this one: --limit <n> shows more, --limit all all of them\.\n$/);
    expect(stdout.split('\n')[0]?.length).toBeLessThanOrEqual(80);
    const all = await said('runs', '--playbook', 'echo-ein', '--limit', 'all', '--json');
    const page = JSON.parse(all.stdout) as { items: unknown[]; next_cursor?: string };
    expect(page.items.length).toBeGreaterThan(1);
    expect(page.next_cursor).toBeUndefined();
    expect(await said('documents', '--limit', 'some')).toMatchObject({ code: 2, stdout: '' });
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

describe('a playbook that asks a model where none is configured', () => {
  const ask =
    '{name: ask, step_type: llm_task, action: llm_analyze, inputs: {data: {a: 1}}, params: {instructions: Count.}, output_schema: {type: scalar, fields: [{name: count, type: integer}]}}';

  it.each([
    ['asks', playbook('asks', [GATE, ask]), '`ask` will fail: No model'],
    [
      'runs-asks',
      playbook('runs-asks', [GATE, '{name: below, action: run_playbook, playbook: asks}']),
      '`ask` of `asks` will fail: No model',
    ],
  ])('%s: is warned of when it is saved and when it is run', async (name, source, sentence) => {
    const saved = await said('save', file(`${name}.yaml`, source));
    expect(saved.code).toBe(0);
    expect(saved.stdout + saved.stderr).toContain(sentence);
    const run = await said('run', name);
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`warning: model_not_configured: ${sentence}`),
    });
    for (const asked of [
      ['run', name],
      ['test-step', name, 'gate'],
    ]) {
      const json = JSON.parse((await said(...asked, '--json')).stdout) as { warnings: { code: string }[] };
      expect(json.warnings.map(({ code }) => code)).toEqual(['model_not_configured']);
    }
    expect((await said('test-step', name, 'gate')).stdout).toContain(`warning: model_not_configured: ${sentence}`);
  });
});

describe('a run that is not whole', () => {
  it('says at its end, and when it is shown, which steps failed and why', async () => {
    const followed = await said('run', 'echo-ein', '--input', 'rows=no list', '--follow');
    expect(followed.code).toBe(1);
    const end = followed.stdout.slice(followed.stdout.lastIndexOf('run: '));
    expect(end).toMatch(/^run: \S+\nstatus: partial\nmessage: kept failed: \w+ \(.+\)/);
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
      env: { PATH: process.env.PATH, ...bench.env() },
    });
    let complaints = '';
    child.stderr.on('data', (text) => (complaints += String(text)));
    child.stdout.once('data', () => child.stdout.destroy());
    await waitUntil(() => child.exitCode !== null, { what: 'the end of the command', timeoutMs: 60_000 });
    expect({ code: child.exitCode, complaints }).toEqual({ code: 0, complaints: '' });
  });
});

describe('af retry --with', () => {
  it('begins the whole playbook again with the other inputs kept, under its own keys', async () => {
    const first = await started('ein=1', 'at_least=5', 'rows=[{"size": 2}]');
    await bench.ended(first);
    const again = await said('retry', first.slice(0, 8), '--with', 'at_least=50000', '--with', 'ein=007', '--follow');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    const second = /^run: (\S+)$/m.exec(again.stdout)?.[1] ?? '';
    const { body } = await bench.api.call('GET', `/runs/${second}`);
    expect(body).toMatchObject({
      retry_of: first,
      status: 'complete',
      inputs: { ein: '007', at_least: 50000, rows: [{ size: 2 }] },
    });
    expect(body['steps']).toMatchObject([{ step: 'kept', status: 'ok' }]);
    const both = await said('retry', first, '--with', 'at_least=1', '--from-step', 'kept');
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('`with` begins the whole playbook again') });
    const wrong = await said('retry', first, '--with', 'at_lest=1');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean `at_least`?') });
  });

  it('af compare says what differs', async () => {
    const [one, other] = [await started('at_least=5', 'rows=[{"size": 2}]'), await started('at_least=6', 'rows=[]')];
    await Promise.all([one, other].map(bench.ended));
    const { code, stdout } = await said('compare', one, other, '--json');
    expect(code).toBe(0);
    const { differences } = JSON.parse(stdout) as { differences: { what: string }[] };
    expect(differences).toContainEqual({ what: 'input at_least', left: 5, right: 6 });
    expect(differences).toContainEqual({ what: 'output kept.data count', left: 1, right: 0 });
    expect(differences.map(({ what }) => what)).not.toContain('status');
    expect((await said('compare', one, one)).stdout).toBe('Nothing differs.\n');
    expect((await said('compare', one, other)).stdout).toMatch(/^input at_least +5 +6$/m);
  });
});

describe('af test-step', () => {
  it('shows what one step would do with given results, and names what is not reached', async () => {
    const tested = await said('test-step', 'echo-ein', 'kept', '--input', 'rows=[{"size": 2}, {"size": 1}]', '--json');
    expect(tested.code).toBe(0);
    expect(JSON.parse(tested.stdout)).toMatchObject({
      steps: [{ step: 'kept', status: 'ok', output: { data: [{ size: 1 }, { size: 2 }] } }],
    });
    const other = await said('test-step', 'echo-ein', 'kpet', '--input', 'rows=[]');
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean "kept"?') });
  });
});
