import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newFolder } from '../support/run-folder';
import { bundleTo } from '../support/workflow-bundle';
import { replay, storedHistories } from './replay-fixture';

/** Builds of workflow code that must not be released. If replay let them pass, it would prove nothing about ours. */
const ROOT = resolve(__dirname, '../..');
const DRIVER = 'workflows/driver.ts';
const ORDER = 'this.pending.push(...result.commands);';

async function changedBundle(change: (source: string) => string): Promise<{ codePath: string }> {
  const folder = newFolder('changed-workflows');
  for (const name of ['core', 'workflows']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const source = readFileSync(join(folder, DRIVER), 'utf8');
  const changed = change(source);
  if (changed === source) throw new Error(`${DRIVER} has changed: this test no longer changes anything in it`);
  writeFileSync(join(folder, DRIVER), changed);
  const codePath = join(folder, 'bundle.js');
  await bundleTo(codePath, join(folder, 'workflows/index.ts'));
  return { codePath };
}

function refused(errors: Map<string, Error | undefined>): string[] {
  return [...errors]
    .filter(([, error]) => /nondeterminism/i.test(`${error?.name} ${error?.message}`))
    .map(([name]) => name);
}

describe('F08b: code that gives its commands in another order', () => {
  let errors: Map<string, Error | undefined>;
  beforeAll(async () => {
    const bundle = await changedBundle((source) =>
      source.replace(ORDER, 'this.pending.push(...result.commands.reverse());'),
    );
    errors = await replay(bundle, storedHistories());
  });

  it.each(['parallel-gate', 'dag', 'for-each'])('does not replay %s', (name) => {
    expect(refused(errors)).toContain(name);
  });

  it('still replays what has one command at a time', () => {
    expect(errors.get('tool')?.message).toBeUndefined();
  });
});
