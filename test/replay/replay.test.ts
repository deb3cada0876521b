import { beforeAll, describe, expect, it } from '@jest/globals';
import { sourceBundle } from '../support/workflow-bundle';
import { replay, storedHistories, storedText } from './replay-fixture';
import { blobsOf } from './record/history-file';
import { continuedShapes, shapes } from './record/shapes';

/**
 * Runs wait for days, so new code meets old histories. Each stored one is the way of a run that a released version took;
 * the current workflow code has to give the same commands in the same order.
 *
 * To add a way: describe it in `record/shapes*.ts` and run `npm run record:histories -- <shape>`; commit the new files.
 * A history that was released is never recorded anew: where new code must differ, `patched()` keeps the old branch.
 */
const names = storedHistories();
let errors: Map<string, Error | undefined>;

beforeAll(async () => {
  errors = await replay(await sourceBundle(), names);
});

describe('F08a: stored histories on the current code', () => {
  it.each(names)('%s', (name) => {
    expect(errors.has(name)).toBe(true);
    expect(errors.get(name)?.message).toBeUndefined();
  });

  it('there is one for every shape', () => {
    const wanted = [...shapes, ...continuedShapes].map((shape) =>
      shape.name === 'child' ? 'parent' : shape.name.replace(/^child-/, 'parent-'),
    );
    expect(wanted.filter((name) => !names.includes(name) && !names.includes(`${name}.1`))).toEqual([]);
  });

  it('runs that continued as new have every part', () => {
    expect(names.filter((name) => name.startsWith('continued')).length).toBeGreaterThan(4);
  });
});

describe('what is stored', () => {
  it.each(names)('%s names no machine', (name) => {
    const text = storedText(name);
    const payloads = [...text.matchAll(/"data":"([A-Za-z0-9+/=]+)"/g)].map((match) =>
      Buffer.from(match[1] ?? '', 'base64').toString('latin1'),
    );
    const places = /"identity":"(?!worker")|(^|["\s(])\/(tmp|home|root|work|usr|var|Users)\//;
    expect([text, ...payloads].filter((part) => places.test(part))).toEqual([]);
  });

  it('large payloads are outside the histories', () => {
    expect(names.flatMap((name) => blobsOf(storedText(name))).length).toBeGreaterThan(5);
  });
});
