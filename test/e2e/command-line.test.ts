import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startApiOf, type TestApi } from '../api/api-fixture';
import { waitUntil } from '../../infra/embedded/process';
import { af, type AfResult } from '../support/af';
import { GATE, playbook } from '../support/fault-texts';
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

async function ended(runId: string): Promise<void> {
  const seen = async () => (await api.call('GET', `/runs/${runId}`)).body['status'];
  await waitUntil(async () => (await seen()) === 'complete', { what: `the end of run ${runId}`, timeoutMs: 60_000 });
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
      env: { PATH: process.env.PATH, ...env() },
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
    await ended(first);
    const again = await said('retry', first.slice(0, 8), '--with', 'at_least=50000', '--with', 'ein=007', '--follow');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    const second = /^run: (\S+)$/m.exec(again.stdout)?.[1] ?? '';
    const { body } = await api.call('GET', `/runs/${second}`);
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
    await Promise.all([one, other].map(ended));
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

describe('documents, tables and people', () => {
  it('go up, are listed and come down again as they were', async () => {
    const source = file('filing.xml', '<a>é</a>\n');
    const up = await said('upload', source, file('two.bin', 'two'));
    expect(up).toMatchObject({ code: 0, stderr: '' });
    expect((await said('documents')).stdout).toMatch(/filing\.xml +10 bytes/);
    expect((await said('download', 'filing.xml', '--out', '-')).stdout).toBe('<a>é</a>\n');
    const out = path.join(folder, 'down.xml');
    expect((await said('download', 'filing.xml', '--out', out)).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toBe('<a>é</a>\n');
    expect((await said('download', 'filing.xml', '--out', out)).stderr).toContain('--force replaces it');
    expect((await said('download', 'filling.xml')).stderr).toContain('Did you mean "filing.xml"?');
    expect((await said('upload', '/nowhere/x')).stderr).toContain('There is no such file.');
  });

  it('tables are listed and exported; teams, people and links are there', async () => {
    const kept = playbook('keeps', [
      '{name: put, step_type: tool, action: save_to_workspace, inputs: {data: [{who: Ada, n: 1}]}, params: {table_name: folk, create_if_missing: true}}',
    ]);
    expect((await said('save', file('keeps.yaml', kept))).code).toBe(0);
    expect(await said('run', 'keeps', '--follow')).toMatchObject({ code: 0 });
    expect((await said('tables')).stdout).toMatch(/default +folk +.*who, n/);
    expect((await said('export', 'folk')).stdout).toMatch(/who,n\r?\nAda,1/);
    expect((await said('export', 'folks')).stderr).toContain('Did you mean "folk"?');
    expect(await said('teams')).toMatchObject({ code: 0, stdout: 'You are in no team.\n' });
    expect(await said('people', 'lo')).toMatchObject({ code: 0 });
  });

  it('links makes a link for one person, which shows the request and decides it once', async () => {
    const gated = playbook('asks', [
      '{name: ask, step_type: approval, prompt: Keep it?, link_only: true, approvers: {users: [local]}}',
    ]);
    expect((await said('save', file('asks.yaml', gated))).code).toBe(0);
    const { runId } = JSON.parse((await said('run', 'asks', '--json')).stdout) as { runId: string };
    const waiting = async (): Promise<string | undefined> => {
      const { body } = await api.call('GET', `/approvals?status=waiting&run=${runId}`);
      return (body['items'] as { approvalId: string }[])[0]?.approvalId;
    };
    await waitUntil(async () => (await waiting()) !== undefined, { what: 'the request', timeoutMs: 60_000 });
    const made = await said('links', (await waiting())?.slice(0, 8) ?? '', 'local');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const url = /^For local, shown this once:\n {2}(http\S+)\n$/.exec(made.stdout)?.[1] ?? '';
    expect(url.startsWith(`${api.url}/`)).toBe(true);
    const shown = await fetch(url, { headers: { accept: 'application/json' } });
    expect(await shown.json()).toMatchObject({ user: 'local', usable: true, approval: { runId, prompt: 'Keep it?' } });
    const decide = () =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ decision: 'approve' }),
      });
    expect((await decide()).ok).toBe(true);
    await ended(runId);
    expect(await (await decide()).json()).toMatchObject({ code: 'link_used' });
    expect(await said('links', '00000000', 'local')).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('af import-dirs', () => {
  it('grants a directory that is read at once, and takes it back; links lead out of it to nothing', async () => {
    const dir = path.join(folder, 'granted');
    mkdirSync(dir);
    writeFileSync(path.join(dir, 'rows.csv'), 'a\n1\n');
    writeFileSync(path.join(folder, 'outside.csv'), 'a\n2\n');
    symlinkSync(path.join(folder, 'outside.csv'), path.join(dir, 'link.csv'));
    const reader = file(
      'reader.yaml',
      'id: csv-reader\nname: Reader\ntype: file_parser\nconnection: {source: [directory], accepted_formats: [csv]}\nendpoints:\n  rows: {parser: csv, fields: [{field: a, column: a}]}\n',
    );
    const read = async (): Promise<string> => {
      const { stdout, stderr } = await said(
        'connectors',
        'test',
        reader,
        'rows',
        '--input',
        `directory=${dir}`,
        '--json',
      );
      return stdout + stderr;
    };
    expect(await read()).toContain('directory_not_allowed');
    expect(await said('import-dirs', 'add', `${dir}/`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(dir),
    });
    const seen = await read();
    expect(seen).toContain('"a": "1"');
    expect(seen).not.toContain('"a": "2"');
    // So does the worker, which was there before the grant.
    expect(await said('save', reader)).toMatchObject({ code: 0 });
    const reads = `{name: read, step_type: tool, action: call_connector, connector: csv-reader, endpoint: rows, inputs: {directory: "${dir}"}}`;
    expect(await said('save', file('reads.yaml', playbook('reads-granted', [reads])))).toMatchObject({ code: 0 });
    const { stdout: followed } = await said('run', 'reads-granted', '--follow');
    expect(followed).toMatch(/read: ok .*1 of 2 files not read/);
    expect(followed).not.toContain('directory_not_allowed');
    const audit = await api.call('GET', '/audit?action=import_dir.grant');
    expect(audit.body.items).toMatchObject([{ object_id: dir, actor: 'local' }]);
    expect((await said('import-dirs', 'remove', `${dir}x`)).stderr).toContain(`Did you mean "${dir}"?`);
    expect(await said('import-dirs', 'remove', dir)).toMatchObject({ code: 0 });
    expect(await read()).toContain('directory_not_allowed');
    for (const bad of ['/', 'relative', '/a/../etc'])
      expect(await said('import-dirs', 'add', bad)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('absolute path'),
      });
  });
});
