import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import FULL_SIZE from '../support/full-size.json';

const ROOT = path.resolve(__dirname, '../..');

function filesOf(project: string, env: NodeJS.ProcessEnv): string[] {
  const args = ['node_modules/jest/bin/jest.js', '--selectProjects', project, '--listTests'];
  const listed = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ...env } });
  return listed.split('\n').map((file) => path.relative(ROOT, file));
}

describe('files with a full size', () => {
  it('are all known, beside the fault cases', () => {
    const others = globSync('test/*/**/*.test.ts', { cwd: ROOT }).filter((file) => !file.startsWith('test/fault/'));
    const asks = others.filter((file) =>
      /^import .* from '.*\/fault-size'/m.test(readFileSync(path.join(ROOT, file), 'utf8')),
    );
    expect(asks.sort()).toEqual([...FULL_SIZE].sort());
  });

  it('run with the fault cases at full size, and where they lie otherwise', () => {
    const full = filesOf('fault', { AF_FAULT_FULL: '1' });
    expect(full).toEqual(expect.arrayContaining([...FULL_SIZE, 'test/fault/races.test.ts']));
    const reduced = filesOf('fault', { AF_FAULT_FULL: '' });
    expect(reduced.filter((file) => FULL_SIZE.includes(file))).toEqual([]);
    expect(filesOf('small', { AF_FAULT_FULL: '' })).toContain('test/workflows/scale.test.ts');
  });
});
