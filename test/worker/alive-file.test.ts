import { describe, expect, it } from '@jest/globals';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { touchAlive } from '../../worker/alive-file';
import { newFolder } from '../support/run-folder';
import { waitUntil } from '../support/wait-until';

describe('the file for health checks', () => {
  it('is touched while work is taken, not while it is not, and gone at the end', async () => {
    const file = path.join(newFolder('alive'), 'worker.alive');
    const state = { works: true, asked: 0 };
    const stop = touchAlive(
      file,
      () => {
        state.asked += 1;
        return state.works;
      },
      5,
    );
    expect(existsSync(file)).toBe(true);
    rmSync(file);
    await waitUntil('a second touch', () => existsSync(file));
    state.works = false;
    const { asked } = state;
    await waitUntil('it was asked', () => state.asked > asked);
    rmSync(file);
    await waitUntil('it was asked again', () => state.asked > asked + 3);
    expect(existsSync(file)).toBe(false);
    state.works = true;
    await waitUntil('it works again', () => existsSync(file));
    stop();
    expect(existsSync(file)).toBe(false);
  });
});
