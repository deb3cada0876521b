import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = path.resolve(__dirname, '../..');

interface Ended {
  code: number | string | null | undefined;
  lines: string[];
}

/** Runs the fixture with or without the file that prepares the workflow thread. */
function play(prepared: boolean): Promise<Ended> {
  const before = ['-r', path.join(ROOT, 'test/support/ts-hook.cjs')];
  if (prepared) before.push('-r', path.join(ROOT, 'worker/workflow-thread.ts'));
  const fixture = path.join(ROOT, 'test/worker/stuck-thread.fixture.cjs');
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...before, fixture], { timeout: 300_000 }, (error, stdout) =>
      resolve({ code: error === null ? 0 : error.code, lines: stdout.trim().split('\n') }),
    );
    // Start without the file has no heartbeat and no watch: the first output is enough.
    if (!prepared) child.stderr?.once('data', () => child.kill('SIGKILL'));
  });
}

describe('the prepared workflow thread', () => {
  it('tracks no promise, has no limit of its own, and is ended by the watchdog when it is stuck', async () => {
    const { code, lines } = await play(true);
    expect(lines).toEqual(['hooks function 0', 'not cut off', 'stuck']);
    expect(code).toBe(7);
  });

  it('is otherwise as Node makes it: the limit cuts the script off', async () => {
    const { lines } = await play(false);
    expect(lines).not.toContain('not cut off');
  });
});
