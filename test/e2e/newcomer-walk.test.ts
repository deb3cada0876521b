import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PREFIX, startApiOf, type TestApi } from '../api/api-fixture';
import { startInProcess, type InProcess } from '../support/in-process';
import { newFolder } from '../support/run-folder';

const ROOT = path.resolve(__dirname, '../..');
let product: InProcess;
let api: TestApi;
beforeAll(async () => {
  product = await startInProcess();
  api = await startApiOf(product);
});
afterAll(async () => {
  await api?.close();
  await product?.close();
});

/** The page's blocks, each after a line that says which section it stands in. */
function scriptOf(page: string): string {
  const parts = page.split(/^## /m).map((section) => {
    const title = section.split('\n')[0] ?? '';
    const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
    return [`echo '## ${title}'`, ...blocks].join('\n');
  });
  return ['set -euo pipefail', ...parts].join('\n');
}

/** Output of each section of the page. */
async function walk(): Promise<Record<string, string>> {
  const folder = newFolder('walk');
  writeFileSync(
    path.join(folder, 'af'),
    `#!/bin/sh\nexec ${process.execPath} -r ${ROOT}/test/support/ts-hook.cjs ${ROOT}/cli/main.ts "$@"\n`,
  );
  chmodSync(path.join(folder, 'af'), 0o755);
  const script = scriptOf(readFileSync(path.join(ROOT, 'docs/first-hour.md'), 'utf8'));
  const env = { PATH: `${folder}:${process.env['PATH']}`, AF: api.url + PREFIX };
  const said = await new Promise<string>((resolve, reject) => {
    execFile('bash', ['-c', script], { cwd: folder, env, timeout: 300_000 }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${error.message}\n${stdout}\n${stderr}`)),
    );
  });
  return Object.fromEntries(
    said
      .split(/^## /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
  );
}

it('the page for the first hour works as it stands, from registering to the verified chain', async () => {
  const said = await walk();
  expect(said['Two people and a key']).toContain('"handle": "rosalind"');
  expect(said['A team and a share']).toContain('{"handle":"counter","name":"Counter"}');
  const mistakes = said['A playbook, with two mistakes'] ?? '';
  expect(mistakes).toMatch(/^invalid_playbook\n/);
  expect(mistakes).toMatch(/^8:\d+ unknown_action: .*transform_data/m);
  expect(mistakes).toMatch(/^13:\d+ \w+: .*sorted/m);
  expect(mistakes).toContain('"version": 1');
  expect(said['Run it, watch it']).toBe('{"kind":"approval","step_path":"look"}\n');
  const decided = said['Another person decides'] ?? '';
  expect(decided).toContain('{"status":403,"code":"four_eyes"}');
  expect(decided).toContain('"may_decide": true');
  expect(decided).toContain('"state":"counted"');
  expect(decided).toMatch(/event: approval\.decided[^]*event: complete/);
  expect(decided).toContain('{"status":"complete"');
  const proof = said['Who did what, and the proof'] ?? '';
  expect(proof).toContain('api_key.create');
  expect(proof).toContain('POST /approvals/:approvalId/approve');
  expect(proof).toMatch(/1 decision, unbroken/);
  expect(proof).toContain('forged: exit code 1');
});
