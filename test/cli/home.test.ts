import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { af } from '../support/af';
import { newFolder } from '../support/run-folder';

const file = join(newFolder('in-the-way'), 'file');
writeFileSync(file, '');

describe('a home that cannot be made', () => {
  it.each([
    // It calls the folder missing that it does not let anybody make.
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
