import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newFolder } from '../support/run-folder';
import { sourceBundle } from '../support/workflow-bundle';
import { replay, storedHistories } from './replay-fixture';

/** A build of workflow code that must not be released. If replay let it pass, it would prove nothing about ours. */
const ORDER = 'this.pending.push(...result.commands);';

async function changedBundle(change: (code: string) => string): Promise<{ codePath: string }> {
  const ours = readFileSync((await sourceBundle()).codePath, 'utf8');
  const changed = change(ours);
  if (changed === ours) throw new Error('workflows/driver.ts has changed: this test no longer changes anything in it');
  const codePath = join(newFolder('changed-workflows'), 'bundle.js');
  writeFileSync(codePath, changed);
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
    const bundle = await changedBundle((code) =>
      code.replace(ORDER, 'this.pending.push(...result.commands.reverse());'),
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
