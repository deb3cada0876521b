import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { register } from '../api/people';
import { GATE, playbook } from '../support/fault-texts';
import { afBench, type AfBench } from './af-bench';

let bench: AfBench;
beforeAll(async () => {
  bench = await afBench();
});
afterAll(() => bench?.close());

const said: AfBench['said'] = (...args) => bench.said(...args);
const file: AfBench['file'] = (name, text) => bench.file(name, text);

describe('documents, tables and people', () => {
  it('go up, are listed and come down again as they were', async () => {
    const source = file('filing.xml', '<a>é</a>\n');
    const up = await said('upload', source, file('two.bin', 'two'));
    expect(up).toMatchObject({ code: 0, stderr: '' });
    expect((await said('documents')).stdout).toMatch(/filing\.xml +10 bytes/);
    expect((await said('download', 'filing.xml', '--out', '-')).stdout).toBe('<a>é</a>\n');
    const out = path.join(bench.folder, 'down.xml');
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
    expect(JSON.parse((await said('export', 'folk', '--json')).stdout)).toMatchObject([{ who: 'Ada', n: 1 }]);
    expect((await said('export', 'folks')).stderr).toContain('Did you mean "folk"?');
    expect(await said('teams')).toMatchObject({ code: 0, stdout: 'You are in no team.\n' });
    expect(await said('people', 'lo')).toMatchObject({ code: 0 });
  });
});

describe('requests', () => {
  it('a request is read whole, and decided as it was read', async () => {
    const source = playbook('reads-rows', [
      '{name: rows, step_type: tool, action: transform_data, inputs: {data: [{who: Ada, amount: "7073443", prior_year: 2014}, {who: Bob, amount: "5", prior_year: 2015}]}, params: {operations: [{type: sort, field: amount}]}}',
      '{name: ask, step_type: approval, prompt: "Keep {rows.count} rows?", preview_from: rows.data, preview_limit: 1}',
      '{name: put, step_type: tool, action: save_to_workspace, inputs: {data: "{rows.data}"}, params: {table_name: kept_rows, create_if_missing: true}}',
    ]);
    await bench.save('reads-rows', source);
    const request = async () => bench.request(await bench.started('reads-rows'));
    const id = await request();
    expect((await said('approvals')).stdout).toContain('All of one: af approvals <id>');
    const { stdout } = await said('approvals', id.slice(0, 8));
    const digest = /^digest: ([0-9a-f]{64})$/m.exec(stdout)?.[1] ?? '';
    // All rows, though the preview is of one.
    expect(stdout).toMatch(/^ +Ada +7073443 +2014$/m);
    expect(stdout).toMatch(/^ +Bob +5 +2015$/m);
    for (const part of [
      `approval: ${id}\nstatus: waiting\n`,
      'Keep 2 rows?',
      '"action": "save_to_workspace"',
      'rejected: the run stops',
      'Nobody has decided yet.',
      `Approve exactly this: af approve ${id} --digest ${digest}`,
    ])
      expect(stdout).toContain(part);
    expect(JSON.parse((await said('approvals', id, '--json')).stdout)).toMatchObject({
      digest,
      rows: { items: [{ who: 'Bob' }, { who: 'Ada' }] },
    });
    const other = await said(
      'approve',
      id,
      '--digest',
      digest.replace(/^./, (first) => (first === '0' ? '1' : '0')),
    );
    expect(other).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('this is not what the approval shows now'),
    });
    expect(await said('approve', id, '--digest', digest)).toMatchObject({ code: 0, stdout: 'Approved.\n' });
    expect((await said('approvals', id)).stdout).toMatch(/^So far:\n\S+ +local \(cli\) +approve$/m);
    // Shows the request first if no digest is given.
    const next = await request();
    const blind = await said('approve', next);
    expect(blind.stdout).toMatch(
      /^Keep 2 rows\? \(2 rows to look at\)\n {2}approval \S+, step ask, run \S+\n {2}digest [0-9a-f]{64}\nApproved\.\n$/,
    );
  });

  it.each([[['--approve']], [['--approve', '--json']]])('af run %j ends where it may not approve', async (options) => {
    const gated = playbook('four-eyes', [
      '{name: ask, step_type: approval, prompt: Keep it?, four_eyes: true, approvers: {users: [local, ann]}}',
      GATE,
    ]);
    if (!options.includes('--json')) await register(bench.api, 'ann');
    await bench.save('four-eyes', gated);
    const { code, stdout, stderr } = await said('run', 'four-eyes', ...options);
    expect(code).toBe(1);
    expect(stderr).toMatch(/The request \S+ of step ask is not approved: four_eyes: This needs a second person/);
    const runId = /af runs ([0-9a-f-]{36})\./.exec(stderr)?.[1] ?? '';
    expect((await bench.api.call('GET', `/runs/${runId}`)).body['status']).toMatch(/waiting/);
    if (options.includes('--json')) expect(JSON.parse(stderr)).toMatchObject({ code: 'four_eyes' });
    else expect(stdout).toContain('Approval wanted: Keep it?');
  });

  it('links makes a link for one person, which shows the request and decides it once', async () => {
    const gated = playbook('asks', [
      '{name: ask, step_type: approval, prompt: Keep it?, link_only: true, approvers: {users: [local]}}',
    ]);
    await bench.save('asks', gated);
    const runId = await bench.started('asks');
    const id = await bench.request(runId);
    const { stderr } = await said('links', id, 'locla');
    expect(stderr).toContain('There is no active user "locla". Did you mean "local"?');
    const made = await said('links', id.slice(0, 8), 'local');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const url = /^For local, shown this once:\n {2}(http\S+)\n$/.exec(made.stdout)?.[1] ?? '';
    expect(url.startsWith(`${bench.api.url}/`)).toBe(true);
    const shown = await fetch(url, { headers: { accept: 'application/json' } });
    expect(await shown.json()).toMatchObject({ user: 'local', usable: true, approval: { runId, prompt: 'Keep it?' } });
    const decide = () =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ decision: 'approve' }),
      });
    expect((await decide()).ok).toBe(true);
    await bench.ended(runId);
    expect(await (await decide()).json()).toMatchObject({ code: 'link_used' });
    expect(await said('links', '00000000', 'local')).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('af import-dirs', () => {
  it('grants a directory that is read at once, and takes it back; links lead out of it to nothing', async () => {
    const dir = path.join(bench.folder, 'granted');
    mkdirSync(dir);
    writeFileSync(path.join(dir, 'rows.csv'), 'a\n1\n');
    writeFileSync(path.join(bench.folder, 'outside.csv'), 'a\n2\n');
    symlinkSync(path.join(bench.folder, 'outside.csv'), path.join(dir, 'link.csv'));
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
    // The worker also knows the grant that came after its start.
    expect(await said('save', reader)).toMatchObject({ code: 0 });
    const reads = `{name: read, step_type: tool, action: call_connector, connector: csv-reader, endpoint: rows, inputs: {directory: "${dir}"}}`;
    expect(await said('save', file('reads.yaml', playbook('reads-granted', [reads])))).toMatchObject({ code: 0 });
    const { stdout: followed } = await said('run', 'reads-granted', '--follow');
    expect(followed).toMatch(/read: ok .*1 of 2 files not read/);
    expect(followed).not.toContain('directory_not_allowed');
    const audit = await bench.api.call('GET', '/audit?action=import_dir.grant');
    expect(audit.body.items).toMatchObject([{ object_id: dir, actor: 'local' }]);
    expect((await said('import-dirs', 'remove', `${dir}x`)).stderr).toContain(`Did you mean "${dir}"?`);
    const none = await said('import-dirs', 'add', `${dir}x`);
    expect(none).toMatchObject({ code: 0, stdout: expect.stringMatching(/grantedx\n.*\n  not there on the machine/) });
    expect(none.stdout.match(/not there/g)).toHaveLength(1);
    expect(await said('import-dirs', 'remove', `${dir}x`)).toMatchObject({ code: 0 });
    expect(await said('import-dirs', 'remove', dir)).toMatchObject({ code: 0 });
    expect(await read()).toContain('directory_not_allowed');
    for (const bad of ['/', 'relative', '/a/../etc'])
      expect(await said('import-dirs', 'add', bad)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('absolute path'),
      });
  });
});
