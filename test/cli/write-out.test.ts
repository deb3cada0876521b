import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeOut } from '../../cli/write-out';
import { newFolder } from '../support/run-folder';

describe('a file that was asked for', () => {
  it('is written', () => {
    const file = path.join(newFolder('out'), 'rows.csv');
    writeOut(file, Buffer.from('a\n1\n'));
    expect(readFileSync(file, 'utf8')).toBe('a\n1\n');
  });

  it.each([
    ['a folder that is not there', (root: string) => path.join(root, 'nope', 'x'), 'There is no such folder.'],
    ['a folder', (root: string) => root, 'It is a folder.'],
  ])('cannot be %s: the place and why are said', (_what, of, why) => {
    const file = of(newFolder('out'));
    expect(() => writeOut(file, Buffer.from('x'))).toThrow(
      expect.objectContaining({ code: 'usage', exitCode: 2, message: `${file} cannot be written. ${why}` }),
    );
  });
});
