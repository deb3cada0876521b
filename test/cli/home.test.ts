import { describe, expect, it } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { af } from '../support/af';
import { newFolder } from '../support/run-folder';

const file = join(newFolder('in-the-way'), 'file');
writeFileSync(file, '');

describe('a home that cannot be made', () => {
  it.each([
    // Linux reports these folders as missing, although nobody may create them.
    ['a place that the system keeps for itself', '/proc/agent-factory-home', 'not_writable'],
    ['deeper in it', '/proc/agent-factory-home/a/b', 'not_writable'],
    ['the root of it', '/proc', 'not_writable'],
    ['below a device', '/dev/null/home', 'not_a_directory'],
    ['a device', '/dev/null', 'not_a_directory'],
    ['a file in the way', file, 'not_a_directory'],
    ['below a file', join(file, 'home'), 'not_a_directory'],
    ['a name that no disk takes', join('/tmp', 'x'.repeat(300)), 'not_writable'],
  ])('%s: one sentence with a way out, and nothing is started', async (_name, home, code) => {
    const said = await af(['up'], { env: { AF_HOME: home } });
    expect(said).toMatchObject({ code: 1, stdout: '' });
    expect(said.stderr.trim().split('\n')).toEqual([expect.stringMatching(/cannot be .*AF_HOME to a/)]);
    expect(said.stderr).toContain(home);
    const asJson = await af(['up', '--json'], { env: { AF_HOME: home } });
    expect(JSON.parse(asJson.stderr)).toMatchObject({ code });
  });
});

describe('af logs', () => {
  it('shows the last lines; the name of a process that has none is told the near one', async () => {
    const home = newFolder('logs');
    mkdirSync(join(home, 'logs'));
    writeFileSync(join(home, 'logs', 'worker.log'), 'one\ntwo\n');
    writeFileSync(join(home, 'logs', 'api.log'), 'three\n');
    const said = (...args: string[]) => af(['logs', ...args], { env: { AF_HOME: home } });
    expect(await said('worker', '--lines', '1')).toMatchObject({ code: 0, stdout: '== worker\ntwo\n' });
    const near = await said('wroker');
    expect(near).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Did you mean "worker"?') });
    expect((await said('nothing')).stderr).toMatch(/There are: (api, worker|worker, api)\./);
  });
});
