import { describe, expect, it } from '@jest/globals';
import { EXIT, unreadable } from '../../cli/errors';
import { readSource } from '../../cli/read-source';
import { newFolder } from '../support/run-folder';

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('a file that cannot be read', () => {
  it.each([
    ['that is not there', `${newFolder('cli-files')}/none.yaml`, 'There is no such file.'],
    ['that is a folder', newFolder('cli-files'), 'It is a folder.'],
  ])('%s: says so in words, and which', (_what, file, words) => {
    const message = `${file} cannot be read. ${words}`;
    expect(thrownBy(() => readSource(file))).toMatchObject({ message, exitCode: EXIT.invalid });
  });

  it('for a reason that we have no words for says what the system says', () => {
    expect(unreadable('a', new Error('odd')).message).toBe('a cannot be read. odd');
  });
});
